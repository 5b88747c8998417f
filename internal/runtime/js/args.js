// util.parseArgs.
(function (native, shared) {
  const fail = (code, message) => {
    throw Object.assign(new TypeError(message), { code });
  };
  shared.parseArgs = ({ args = process.argv.slice(2), options = {}, strict = true, allowPositionals = !strict, allowNegative = false, tokens: withTokens = false } = {}) => {
    const values = Object.create(null);
    const positionals = [];
    const tokens = [];
    for (const [name, o] of Object.entries(options)) {
      if (o.type !== "string" && o.type !== "boolean") fail("ERR_INVALID_ARG_VALUE", `The property 'options.${name}.type' must be one of: 'boolean', 'string'. Received ${shared.inspect(o.type)}`);
    }
    const longOf = (short) => Object.keys(options).find((name) => options[name].short === short) ?? short;
    const typeOf = (name) => (Object.prototype.hasOwnProperty.call(options, name) ? options[name].type : undefined);
    const shown = (name) => `${options[name] && options[name].short ? `-${options[name].short}, ` : ""}--${name}`;
    const store = (name, raw, value, index, inline) => {
      const type = typeOf(name);
      if (strict) {
        if (type === undefined) fail("ERR_PARSE_ARGS_UNKNOWN_OPTION", `Unknown option '${raw}'${allowPositionals ? `. To specify a positional argument starting with a '-', place it at the end of the command after '--', as in '-- "${raw}"` : ""}`);
        if (type === "string" && typeof value !== "string") fail("ERR_PARSE_ARGS_INVALID_OPTION_VALUE", `Option '${shown(name)} <value>' argument missing`);
        if (type === "boolean" && typeof value === "string") fail("ERR_PARSE_ARGS_INVALID_OPTION_VALUE", `Option '${shown(name)}' does not take an argument`);
      }
      tokens.push({ kind: "option", name, rawName: raw, index, value: typeof value === "string" ? value : undefined, inlineValue: typeof value === "string" ? inline : undefined });
      const kept = value === undefined ? true : value;
      if (options[name] && options[name].multiple) (values[name] ||= []).push(kept);
      else values[name] = kept;
    };
    const list = args.map((text, index) => ({ text: `${text}`, index }));
    while (list.length > 0) {
      const { text, index } = list.shift();
      const takesNext = (name) => (typeOf(name) === "string" && list.length > 0 ? list.shift().text : undefined);
      if (text === "--") {
        tokens.push({ kind: "option-terminator", index });
        for (const rest of list.splice(0)) positional(rest.text, rest.index);
      } else if (/^--[^=]+=/.test(text)) {
        const at = text.indexOf("=");
        store(text.slice(2, at), text.slice(0, at), text.slice(at + 1), index, true);
      } else if (text.startsWith("--")) {
        const name = text.slice(2);
        const negated = allowNegative && name.startsWith("no-") && typeOf(name) === undefined ? name.slice(3) : "";
        if (negated && typeOf(negated) === "boolean") store(negated, text, false, index, undefined);
        else store(name, text, takesNext(name), index, false);
      } else if (text.length > 2 && text[0] === "-") {
        const name = longOf(text[1]);
        if (typeOf(name) === "string") store(name, text.slice(0, 2), text.slice(2), index, true);
        else list.unshift({ text: `-${text[1]}`, index }, { text: `-${text.slice(2)}`, index });
      } else if (text.length === 2 && text[0] === "-") {
        const name = longOf(text[1]);
        store(name, text, takesNext(name), index, false);
      } else positional(text, index);
    }
    function positional(text, index) {
      if (!allowPositionals) fail("ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL", `Unexpected argument '${text}'. This command does not take positional arguments`);
      positionals.push(text);
      tokens.push({ kind: "positional", index, value: text });
    }
    for (const [name, o] of Object.entries(options)) if (o.default !== undefined && values[name] === undefined) values[name] = o.default;
    return withTokens ? { values, positionals, tokens } : { values, positionals };
  };
})
