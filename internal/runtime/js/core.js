// The host object, made in every runtime before anything else. It takes what it
// needs of the language before a program can change it. Everything that not every
// run needs lies in other files and is loaded at its first use.
(function (native, shared) {
  const { parse, stringify } = JSON;
  const NativePromise = Promise;
  const functionText = Function.prototype.call.bind(Function.prototype.toString);

  // What takes the place of the members of JSON.
  const members = {
    // The engine's own says little about what is wrong, and loses half characters. It
    // is used as long as it will do.
    parse(text, reviver) {
      text = `${text}`;
      let fault;
      if (!native.halfCharacter(text)) {
        let value;
        try {
          value = parse(text);
        } catch (error) {
          fault = error;
        }
        if (!fault) return typeof reviver === "function" ? parse(text, reviver) : value;
      }
      return shared.parseCarefully(text, reviver, fault);
    },
    // The engine's own loses count of the indentation after {} and [].
    stringify(value, replacer, space) {
      const text = stringify(value, replacer);
      if (space === undefined || text === undefined) return text;
      if (typeof space === "object" && space !== null) space = space.valueOf();
      const gap = typeof space === "number" ? " ".repeat(Math.max(0, Math.min(10, Math.trunc(space) || 0))) : typeof space === "string" ? space.slice(0, 10) : "";
      return gap === "" ? text : native.indentJSON(text, gap);
    },
  };
  shared.parse = parse;
  shared.functionText = functionText;
  shared.host = {
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
    explain(lookup) {
      shared.explain = lookup;
    },
    members(names, make) {
      return native.members(names, make);
    },
    get args() {
      return native.args();
    },
  };
  return members;
})
