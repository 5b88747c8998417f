// The host object, made in every runtime before anything else. It takes what it
// needs of the language before a program can change it. Everything that not every
// run needs lies in other files and is loaded at its first use.
(function (native, shared) {
  const { parse, stringify } = JSON;
  const NativePromise = Promise;
  const functionText = Function.prototype.call.bind(Function.prototype.toString);

  shared.parse = parse;
  shared.functionText = functionText;
  shared.host = Object.freeze({
    call(name, args) {
      const text = args === undefined ? "{}" : stringify(args);
      return new NativePromise((resolve, reject) => native.call(`${name}`, text === undefined ? "{}" : text, resolve, reject));
    },
    source(fn) {
      if (typeof fn !== "function") throw new TypeError("source of something that is not a function");
      return native.source(functionText(fn));
    },
    log(level, ...args) {
      native.log(`${level}`, shared.format(...args));
    },
    members(names, make) {
      return native.members(names, make);
    },
    get args() {
      return native.args();
    },
  });
})
