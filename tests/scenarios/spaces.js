// Task spaces by name, number and digits, and who has control of them.
const name = args.space + " of its own";
const space = await taskSpaces.new(name);
check(Number.isInteger(space.id) && space.id > 0, "the number of the space");
same(space.name, name, "its name");
same(space.ownership, "agent", "its owner");
const listed = async () => (await taskSpaces.list()).find((s) => s.id === space.id);
same((await listed()).name, name, "its name in the list");
for (const target of [space.id, name, String(space.id)]) {
  same((await taskSpaces.switch(target)).id, space.id, "switched to " + target);
  same((await taskSpaces.useOrCreate(target)).id, space.id, "used " + target);
}
await fails(() => taskSpaces.new(name), name);
await fails(() => taskSpaces.switch(987654), "task space not found");
await fails(() => taskSpaces.switch("+" + space.id), "task space not found");
await fails(() => taskSpaces.useOrCreate(987654), "task space not found");
await fails(() => taskSpaces.complete(name), "requires { keep: boolean }");
await fails(() => taskSpaces.complete(name, { keep: "yes" }), "requires { keep: boolean }");
await fails(() => taskSpaces.complete("", { keep: true }), "requires a task space name or id");
await fails(() => taskSpaces.complete(undefined, { keep: true }), "requires a task space name or id");

// Lent to the user and taken back, with and without a name.
for (const target of [[], [name]]) {
  same((await taskSpaces.handOff(...target)).done, true, "handed off");
  check((await listed()).ownership !== "agent", "the owner is another");
  same((await taskSpaces.switch(name)).id, space.id, "a space that was lent is switched to");
  same((await taskSpaces.useOrCreate(name)).ownership, "agentDelegatedToUser", "used, and still lent");
  await taskSpaces.takeOver(...target);
  same((await listed()).ownership, "agent", "the owner after taking over");
  await taskSpaces.waitForAgentControl(name, { interval: 0.1, timeout: 5 });
}
same((await taskSpaces.complete(name, { keep: false })).done, true, "completed");
same(await listed(), undefined, "the completed space");
await done();
