// What a runner asks first: is this the surface it knows, and does it have the bridge?
check(typeof ego === "object" && ego !== null, "ego is an object");
check(typeof ego.sendCDPMessage === "function", "ego.sendCDPMessage is a function");
check(typeof process.version === "string" && process.version.startsWith("v"), "process.version is a version");
check(Object.keys(ego.helpers).length > 0, "ego.helpers has members");
check(typeof ego.learnings.skillsForUrl === "function", "ego.learnings are the skills");

const version = await new Promise((resolve, reject) => {
  ego.onCDPMessage = (text) => resolve(JSON.parse(text));
  ego.onSendCDPMessageError = reject;
  ego.sendCDPMessage(JSON.stringify({ id: 7, method: "Browser.getVersion" }));
});
same(version.id, 7, "the id of the answer");
check(version.result.product.includes("Chrome"), "the bridge reaches the browser");
console.log(JSON.stringify({ egoType: typeof ego, helperCount: Object.keys(ego.helpers).length }));
await done();
