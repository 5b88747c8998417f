// What is no target, no button and no offset is refused by name.
await open();
await fails(() => page.mouse.drag([]), "at least two points");
await fails(() => page.mouse.drag(["#from"]), "at least two points");
await fails(() => page.mouse.click("#counter"), "invalid mouse target");
await fails(() => page.mouse.click({ x: "left", y: 3 }), "invalid mouse target");
await fails(() => page.mouse.drag([[1], [2, 3]]), "invalid mouse target");
await fails(() => page.mouse.click(5, 5, { button: "fourth" }), "unsupported mouse button");
await fails(() => page.locator("#counter").click({ button: "fourth" }), "unsupported mouse button");
await fails(() => page.mouse.wheel(0, "far"), "invalid mouse offset");
await fails(() => page.mouse.wheel(0, 100, { x: "left" }), "invalid mouse offset");
same(await text("#count"), "0", "nothing was clicked");
await done();
