// Locale formatting for en-US: numbers, dates, lists, plurals, and comparing
// text. Whatever is not here is refused by name: a wrong text would go unnoticed.
(function (native, shared) {
  const unsupported = (what) => new RangeError(`${what} is not supported in node tools; en-US with the common options is`);
  const localeOf = (locales, known) => {
    const list = locales === undefined ? [] : Array.isArray(locales) ? locales : [locales];
    if (list.length === 0) return "en-US";
    for (const l of list) if (known.includes(`${l}`)) return `${l}`;
    if (typeof list[0] !== "string") throw new TypeError("Incorrect locale information provided");
    throw unsupported(`locale ${list.join(", ")}`);
  };
  const english = ["en-US", "en", "en-u-nu-latn", "en-US-u-nu-latn"];
  // Numbers and texts look the same in these.
  const englishNumbers = [...english, "en-GB", "en-CA", "en-AU", "en-IE", "en-NZ"];
  const checkOptions = (options, known, what) => {
    for (const key of Object.keys(options)) if (options[key] !== undefined && !known.includes(key)) throw unsupported(`option ${key} of ${what}`);
  };
  const oneOf = (value, allowed, name) => {
    if (value !== undefined && !allowed.includes(value)) throw new RangeError(`Value ${value} out of range for Intl options property ${name}`);
    return value;
  };
  const inRange = (value, low, high, name) => {
    if (value === undefined) return undefined;
    const n = Number(value);
    if (!(n >= low && n <= high)) throw new RangeError(`${name} value is out of range.`);
    return Math.floor(n);
  };

  // --- numbers ---
  const currencySigns = { USD: "$", EUR: "€", GBP: "£", JPY: "¥", INR: "₹", CNY: "CN¥", KRW: "₩", AUD: "A$", CAD: "CA$", MXN: "MX$", NZD: "NZ$", BRL: "R$", HKD: "HK$", TWD: "NT$", ILS: "₪", VND: "₫", PHP: "₱" };
  const noCents = ["JPY", "KRW", "VND", "CLP", "ISK", "XAF", "XOF", "PYG", "UGX"];
  const numberOptions = ["style", "currency", "currencyDisplay", "minimumIntegerDigits", "minimumFractionDigits", "maximumFractionDigits", "minimumSignificantDigits", "maximumSignificantDigits", "useGrouping", "notation", "compactDisplay", "signDisplay", "localeMatcher", "numberingSystem", "unit", "unitDisplay"];
  const numberSettings = (locales, options = {}) => {
    options = Object(options);
    checkOptions(options, numberOptions, "Intl.NumberFormat");
    const style = oneOf(options.style, ["decimal", "percent", "currency", "unit"], "style") || "decimal";
    if (style === "unit") throw unsupported("style unit of Intl.NumberFormat");
    if (options.numberingSystem !== undefined && options.numberingSystem !== "latn") throw unsupported(`numberingSystem ${options.numberingSystem}`);
    const currency = options.currency === undefined ? undefined : `${options.currency}`.toUpperCase();
    if (style === "currency") {
      if (currency === undefined) throw new TypeError("Currency code is required with currency style.");
      if (!/^[A-Z]{3}$/.test(currency)) throw new RangeError(`Invalid currency code : ${options.currency}`);
      if (options.currencyDisplay !== undefined && !["symbol", "code", "narrowSymbol"].includes(options.currencyDisplay)) throw unsupported(`currencyDisplay ${options.currencyDisplay}`);
    }
    const notation = oneOf(options.notation, ["standard", "compact", "scientific", "engineering"], "notation") || "standard";
    if (notation === "scientific" || notation === "engineering") throw unsupported(`notation ${notation}`);
    if (options.compactDisplay === "long") throw unsupported("compactDisplay long");
    const usual = style === "currency" ? (noCents.includes(currency) ? 0 : 2) : 0;
    let least = inRange(options.minimumFractionDigits, 0, 100, "minimumFractionDigits");
    let most = inRange(options.maximumFractionDigits, 0, 100, "maximumFractionDigits");
    const given = least !== undefined || most !== undefined;
    const usualMost = style === "decimal" ? 3 : usual;
    if (least === undefined) least = most === undefined ? usual : Math.min(usual, most);
    if (most === undefined) most = Math.max(usualMost, least);
    if (least > most) throw new RangeError("maximumFractionDigits value is out of range.");
    let leastSignificant = inRange(options.minimumSignificantDigits, 1, 21, "minimumSignificantDigits");
    const mostSignificant = inRange(options.maximumSignificantDigits, leastSignificant || 1, 21, "maximumSignificantDigits");
    if (leastSignificant === undefined && mostSignificant !== undefined) leastSignificant = 1;
    return {
      locale: localeOf(locales, englishNumbers), style, currency, currencyDisplay: options.currencyDisplay || "symbol", notation,
      least, most, leastSignificant, mostSignificant: leastSignificant === undefined ? undefined : mostSignificant || 21,
      rounding: notation === "compact" && !given && leastSignificant === undefined ? "compact" : "digits",
      leastInteger: inRange(options.minimumIntegerDigits, 1, 21, "minimumIntegerDigits") || 1,
      grouping: options.useGrouping === false || options.useGrouping === "false" ? false : options.useGrouping === "min2" || (notation === "compact" && options.useGrouping === undefined) ? "min2" : true,
      sign: oneOf(options.signDisplay, ["auto", "never", "always", "exceptZero", "negative"], "signDisplay") || "auto",
    };
  };
  // plain is the shortest decimal text of a number that is not negative, without
  // exponent. Rounding works on it and not on the binary value, as ICU does:
  // 1.005 with two digits is 1.01.
  const plain = (n) => {
    const [mantissa, exponent] = `${n}`.split("e");
    if (exponent === undefined) return mantissa;
    const [whole, fraction = ""] = mantissa.split(".");
    const digits = whole + fraction;
    const at = whole.length + Number(exponent);
    return at <= 0 ? "0." + "0".repeat(-at) + digits : at >= digits.length ? digits + "0".repeat(at - digits.length) : digits.slice(0, at) + "." + digits.slice(at);
  };
  // fixed rounds to a number of digits behind the point, half away from zero.
  const fixed = (n, digits) => {
    const [whole, fraction = ""] = plain(n).split(".");
    if (fraction.length <= digits) return digits > 0 ? `${whole}.${fraction.padEnd(digits, "0")}` : whole;
    const kept = `${BigInt(whole + fraction.slice(0, digits)) + (fraction[digits] >= "5" ? 1n : 0n)}`.padStart(digits + 1, "0");
    return digits > 0 ? `${kept.slice(0, -digits)}.${kept.slice(-digits)}` : kept;
  };
  const trimZeros = (text, least) => {
    const dot = text.indexOf(".");
    if (dot < 0) return text;
    let end = text.length;
    while (end > dot + 1 + least && text[end - 1] === "0") end--;
    return text.slice(0, end - 1 === dot ? dot : end);
  };
  // significant rounds to at most most significant digits and shows at least least.
  const significant = (n, least, most) => {
    const [whole, fraction = ""] = plain(n).split(".");
    const zero = /^0*$/.test(whole + fraction);
    // digits before the point, or minus the zeros behind it
    const size = zero ? 1 : whole !== "0" ? whole.length : -(/^0*/.exec(fraction)[0].length);
    const digits = most - size;
    if (digits >= 0) {
      const text = fixed(n, digits);
      const shown = /^0(\.|$)/.test(text) ? size : text.split(".")[0].length; // rounding may have added one
      return trimZeros(text, Math.max(0, least - shown));
    }
    const unit = 10n ** BigInt(-digits);
    return `${((BigInt(whole) + unit / 2n) / unit) * unit}`;
  };
  const group = (whole, mode) => (!mode || (mode === "min2" && whole.length < 5) ? whole : whole.replace(/\B(?=(\d{3})+$)/g, ","));
  const digitsOf = (n, s) => {
    if (s.rounding === "compact") return Number(n) < 100 ? significant(n, 1, 2) : fixed(n, 0);
    if (s.leastSignificant !== undefined) return significant(n, s.leastSignificant, s.mostSignificant);
    return trimZeros(fixed(n, s.most), s.least);
  };
  const formatNumber = (given, s) => {
    const value = typeof given === "bigint" ? given : Number(given);
    let negative = value < 0 || Object.is(value, -0);
    let n = value < 0 ? -value : typeof value === "bigint" ? value : Math.abs(value);
    let text;
    let suffix = "";
    if (Number.isNaN(n)) text = "NaN";
    else if (n === Infinity) text = "∞";
    else {
      if (s.style === "percent") n = typeof n === "bigint" ? n * 100n : shiftDecimal(n, 2);
      if (s.notation === "compact") {
        let step = 0;
        const units = ["", "K", "M", "B", "T"];
        n = Number(n);
        let scaled = n;
        while (step < 4 && Number(digitsOf(scaled, s)) >= 1000) scaled = shiftDecimal(n, -3 * ++step);
        n = scaled;
        suffix = units[step];
      }
      const [whole, fraction] = digitsOf(n, s).split(".");
      text = group(whole.padStart(s.leastInteger, "0"), s.grouping) + (fraction ? "." + fraction : "");
    }
    const zero = /^[0.,]*$/.test(text);
    if (Number.isNaN(value)) negative = false;
    let sign = negative ? "-" : "";
    if (s.sign === "never" || (s.sign === "negative" && zero) || (s.sign === "exceptZero" && zero)) sign = "";
    else if (!negative && (s.sign === "always" || (s.sign === "exceptZero" && !zero && !Number.isNaN(value)))) sign = "+";
    text += suffix;
    if (s.style === "percent") return sign + text + "%";
    if (s.style !== "currency") return sign + text;
    if (s.currencyDisplay === "code" || !(s.currency in currencySigns)) return `${sign}${s.currency}\u00a0${text}`;
    const mark = s.currencyDisplay === "narrowSymbol" ? currencySigns[s.currency].replace(/^[A-Z]+/, "") : currencySigns[s.currency];
    return sign + mark + text;
  };
  // shiftDecimal moves the decimal point of the number's text, without the error
  // of multiplying.
  const shiftDecimal = (n, places) => Number(`${n}`.includes("e") ? n * 10 ** places : `${n}e${places}`);

  // numberParts takes the text of a number apart.
  const numberParts = (text) => {
    const out = [];
    let whole = true;
    for (const [piece] of text.matchAll(/\d+|NaN|[KMBT](?=%?$)|[A-Z]{3}|[A-Z]*[^\d\s.,%∞+-]|./gs)) {
      const type = /^\d/.test(piece) ? (whole ? "integer" : "fraction") : { ",": "group", ".": "decimal", "%": "percentSign", "-": "minusSign", "+": "plusSign", "∞": "infinity", NaN: "nan", "\u00a0": "literal" }[piece] || (/^[KMBT]$/.test(piece) ? "compact" : "currency");
      if (type === "decimal") whole = false;
      out.push({ type, value: piece });
    }
    return out;
  };

  class NumberFormat {
    #settings;
    constructor(locales, options) {
      this.#settings = numberSettings(locales, options);
      this.format = (n) => formatNumber(n, this.#settings);
      Object.defineProperty(this, "format", { enumerable: false });
    }
    formatToParts(n) {
      return numberParts(formatNumber(n, this.#settings));
    }
    resolvedOptions() {
      const s = this.#settings;
      const out = { locale: s.locale, numberingSystem: "latn", style: s.style };
      if (s.currency) Object.assign(out, { currency: s.currency, currencyDisplay: s.currencyDisplay });
      return Object.assign(out, { minimumIntegerDigits: s.leastInteger, minimumFractionDigits: s.least, maximumFractionDigits: s.most, useGrouping: s.grouping === true ? "auto" : s.grouping, notation: s.notation, signDisplay: s.sign });
    }
    static supportedLocalesOf(locales) {
      return [locales].flat().filter((l) => englishNumbers.includes(l));
    }
  }

  shared.localeHelpers = { unsupported, localeOf, checkOptions, oneOf, english };
  const { DateTimeFormat, formatDate, dateSettings } = shared.localeDates;

  // --- the rest ---
  class Collator {
    #options;
    constructor(locales, options = {}) {
      checkOptions(options, ["numeric", "sensitivity", "usage", "localeMatcher", "caseFirst", "ignorePunctuation"], "Intl.Collator");
      localeOf(locales, englishNumbers);
      if ((options.caseFirst || "false") !== "false") throw unsupported(`caseFirst ${options.caseFirst}`);
      if (options.ignorePunctuation) throw unsupported("ignorePunctuation");
      this.#options = { numeric: !!options.numeric, sensitivity: oneOf(options.sensitivity, ["base", "accent", "case", "variant"], "sensitivity") || "variant" };
      if (this.#options.sensitivity === "case") throw unsupported("sensitivity case");
      this.compare = (a, b) => native.collate(`${a}`, `${b}`, this.#options.numeric, this.#options.sensitivity);
      Object.defineProperty(this, "compare", { enumerable: false });
    }
    resolvedOptions() {
      return { locale: "en-US", usage: "sort", ...this.#options, caseFirst: "false", collation: "default", ignorePunctuation: false };
    }
  }
  class PluralRules {
    #ordinal;
    #locale;
    constructor(locales, options = {}) {
      checkOptions(options, ["type", "localeMatcher"], "Intl.PluralRules");
      this.#locale = localeOf(locales, englishNumbers);
      this.#ordinal = oneOf(options.type, ["cardinal", "ordinal"], "type") === "ordinal";
    }
    resolvedOptions() {
      return { locale: this.#locale, type: this.#ordinal ? "ordinal" : "cardinal" };
    }
    select(n) {
      n = Number(n);
      if (!this.#ordinal) return n === 1 || n === -1 ? "one" : "other";
      const a = Math.abs(n);
      const teen = a % 100 > 10 && a % 100 < 14;
      return teen ? "other" : { 1: "one", 2: "two", 3: "few" }[a % 10] || "other";
    }
  }
  class ListFormat {
    #word;
    constructor(locales, options = {}) {
      checkOptions(options, ["type", "style", "localeMatcher"], "Intl.ListFormat");
      localeOf(locales, english);
      const type = oneOf(options.type, ["conjunction", "disjunction", "unit"], "type") || "conjunction";
      if (type === "unit" || (options.style !== undefined && options.style !== "long")) throw unsupported("this style of Intl.ListFormat");
      this.#word = type === "disjunction" ? "or" : "and";
    }
    format(list) {
      const items = [...list];
      if (items.length < 2) return items.join("");
      if (items.length === 2) return `${items[0]} ${this.#word} ${items[1]}`;
      return `${items.slice(0, -1).join(", ")}, ${this.#word} ${items.at(-1)}`;
    }
  }
  const own = (target, group) => {
    for (const name of Object.keys(group)) Object.defineProperty(target, name, { value: group[name], writable: true, configurable: true, enumerable: false });
  };
  // These may be called without new.
  const callable = (Class) => {
    const Called = function (...args) {
      return Reflect.construct(Class, args, new.target || Class);
    };
    Called.prototype = Class.prototype;
    Object.defineProperty(Class.prototype, "constructor", { value: Called, writable: true, configurable: true });
    Object.defineProperty(Called, "name", { value: Class.name, configurable: true });
    Called.supportedLocalesOf = Class.supportedLocalesOf;
    return Called;
  };
  const lacks = (Class, ...names) => {
    for (const name of names) own(Class.prototype, { [name]() { throw unsupported(`Intl.${Class.name}.prototype.${name}`); } });
  };
  lacks(NumberFormat, "formatRange", "formatRangeToParts");
  lacks(DateTimeFormat, "formatRange", "formatRangeToParts");
  lacks(PluralRules, "selectRange");
  lacks(ListFormat, "formatToParts");
  for (const Class of [Collator, PluralRules, ListFormat]) Class.supportedLocalesOf = DateTimeFormat.supportedLocalesOf;
  const Intl = { NumberFormat: callable(NumberFormat), DateTimeFormat: callable(DateTimeFormat), Collator: callable(Collator), PluralRules, ListFormat, getCanonicalLocales: (l) => (l === undefined ? [] : [l].flat()) };
  Object.defineProperty(Intl, Symbol.toStringTag, { value: "Intl", configurable: true });
  // A constructor that is missing says so by its name.
  for (const name of ["RelativeTimeFormat", "Segmenter", "DisplayNames", "Locale", "DurationFormat", "supportedValuesOf"]) {
    Object.defineProperty(Intl, name, { value: function () { throw unsupported(`Intl.${name}`); }, writable: true, configurable: true });
  }

  own(Number.prototype, {
    toLocaleString(locales, options) {
      return formatNumber(Number.prototype.valueOf.call(this), numberSettings(locales, options));
    },
  });
  own(BigInt.prototype, {
    toLocaleString(locales, options) {
      return formatNumber(BigInt.prototype.valueOf.call(this), numberSettings(locales, options));
    },
  });
  const dateText = (date, locales, options, required, defaults) => {
    const settings = dateSettings(locales, options, required, defaults);
    return Number.isNaN(date.getTime()) ? "Invalid Date" : formatDate(date, settings);
  };
  own(Date.prototype, {
    toLocaleString(locales, options) {
      return dateText(this, locales, options, "any", "all");
    },
    toLocaleDateString(locales, options) {
      return dateText(this, locales, options, "date", "date");
    },
    toLocaleTimeString(locales, options) {
      return dateText(this, locales, options, "time", "time");
    },
  });
  own(String.prototype, {
    localeCompare(other, locales, options) {
      return new Collator(locales, options).compare(`${this}`, `${other}`);
    },
    toLocaleUpperCase(locales) {
      if (locales !== undefined) localeOf(locales, englishNumbers);
      return `${this}`.toUpperCase();
    },
    toLocaleLowerCase(locales) {
      if (locales !== undefined) localeOf(locales, englishNumbers);
      return `${this}`.toLowerCase();
    },
  });
  own(Array.prototype, {
    toLocaleString(locales, options) {
      return Array.prototype.map.call(this, (v) => (v === null || v === undefined ? "" : v.toLocaleString(locales, options))).join(",");
    },
  });
  return Intl;
})
