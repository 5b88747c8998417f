// One means one.
await open();
await fails(() => page.getByRole("button", { name: "Twin" }).click(), "matched 2 elements");
await fails(() => page.locator("#twins .twin:not(.gone)").click(), "matched 2");
await fails(() => page.locator("xpath=//button[text()='Twin']").textContent(), "matched 3");
await fails(() => page.locator("#twins .twin:not(.gone)").isVisible(), "matched 2");
const twins = page.getByRole("button", { name: "Twin" });
same(await twins.count(), 2, "twins");
same(await twins.nth(1).innerText(), "Twin", "the second");
await twins.first().click();
same(await page.locator(".twin").first().innerText(), "Pressed 1", "the first after the click");
same(await page.locator(".twin").nth(2).isVisible(), false, "the hidden one");
same(await page.locator("#twins").getByText("Twin").first().first().isVisible(), true, "the first of the first");
await done();
