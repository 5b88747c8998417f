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

  class NumberFormat {
    #settings;
    constructor(locales, options) {
      this.#settings = numberSettings(locales, options);
      this.format = (n) => formatNumber(n, this.#settings);
      Object.defineProperty(this, "format", { enumerable: false });
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

  // --- dates ---
  const months = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];
  const weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
  const dateOptions = ["dateStyle", "timeStyle", "weekday", "year", "month", "day", "hour", "minute", "second", "fractionalSecondDigits", "hour12", "hourCycle", "timeZone", "timeZoneName", "localeMatcher", "formatMatcher", "calendar", "numberingSystem"];
  const styles = ["full", "long", "medium", "short"];
  const dateStyles = {
    full: { weekday: "long", year: "numeric", month: "long", day: "numeric" },
    long: { year: "numeric", month: "long", day: "numeric" },
    medium: { year: "numeric", month: "short", day: "numeric" },
    short: { year: "2-digit", month: "numeric", day: "numeric" },
  };
  const timeStyles = {
    full: { hour: "numeric", minute: "2-digit", second: "2-digit", timeZoneName: "long" },
    long: { hour: "numeric", minute: "2-digit", second: "2-digit", timeZoneName: "short" },
    medium: { hour: "numeric", minute: "2-digit", second: "2-digit" },
    short: { hour: "numeric", minute: "2-digit" },
  };
  const dateFields = ["weekday", "year", "month", "day"];
  const timeFields = ["hour", "minute", "second", "fractionalSecondDigits"];
  const dateSettings = (locales, options, required, defaults) => {
    options = options === undefined ? {} : Object(options);
    checkOptions(options, dateOptions, "Intl.DateTimeFormat");
    const locale = localeOf(locales, english);
    if (options.calendar !== undefined && options.calendar !== "gregory") throw unsupported(`calendar ${options.calendar}`);
    const s = { locale, timeZone: options.timeZone === undefined ? native.localZone() : native.timeZone(`${options.timeZone}`) };
    const dateStyle = oneOf(options.dateStyle, styles, "dateStyle");
    const timeStyle = oneOf(options.timeStyle, styles, "timeStyle");
    if (dateStyle || timeStyle) {
      for (const f of [...dateFields, ...timeFields]) if (options[f] !== undefined) throw new TypeError(`Can't set option ${f} when ${dateStyle ? "dateStyle" : "timeStyle"} is used`);
      if ((required === "date" && timeStyle) || (required === "time" && dateStyle)) throw new TypeError(`Invalid option : ${required === "date" ? "timeStyle" : "dateStyle"}`);
      Object.assign(s, dateStyle && dateStyles[dateStyle], timeStyle && timeStyles[timeStyle]);
      s.joiner = dateStyle === "full" || dateStyle === "long" ? " at " : ", ";
    } else {
      oneOf(options.weekday, ["long", "short", "narrow"], "weekday");
      oneOf(options.month, ["numeric", "2-digit", "long", "short", "narrow"], "month");
      for (const f of ["year", "day", "hour", "minute", "second"]) oneOf(options[f], ["numeric", "2-digit"], f);
      for (const f of [...dateFields, ...timeFields]) if (options[f] !== undefined) s[f] = options[f];
      const has = (fields) => fields.some((f) => s[f] !== undefined);
      const missing = required === "date" ? !has(dateFields) : required === "time" ? !has(timeFields) : !has(dateFields) && !has(timeFields);
      if (missing && defaults !== "time") Object.assign(s, { year: "numeric", month: "numeric", day: "numeric" });
      if (missing && defaults !== "date") Object.assign(s, { hour: "numeric", minute: "2-digit", second: "2-digit" });
      s.joiner = s.month === "long" ? " at " : ", ";
      if (oneOf(options.timeZoneName, ["short", "long", "shortOffset", "longOffset", "shortGeneric", "longGeneric"], "timeZoneName")) s.timeZoneName = options.timeZoneName;
    }
    if (s.timeZoneName && s.timeZoneName !== "short" && !(s.timeZoneName === "long" && s.timeZone === "UTC")) throw unsupported(`timeZoneName ${s.timeZoneName}`);
    const cycle = oneOf(options.hourCycle, ["h11", "h12", "h23", "h24"], "hourCycle");
    s.cycle = options.hour12 === undefined ? cycle || "h12" : options.hour12 ? "h12" : "h23";
    if (s.cycle === "h11") throw unsupported("hourCycle h11");
    return s;
  };
  const two = (n) => `${n}`.padStart(2, "0");
  const datePart = (t, s) => {
    const wordy = s.month === "long" || s.month === "short" || s.month === "narrow";
    const day = s.day === undefined ? "" : s.day === "2-digit" ? two(t.day) : `${t.day}`;
    const year = s.year === undefined ? "" : s.year === "2-digit" ? two(t.year % 100) : `${t.year}`;
    const weekday = s.weekday === undefined ? "" : s.weekday === "long" ? weekdays[t.weekday] : weekdays[t.weekday].slice(0, s.weekday === "short" ? 3 : 1);
    let rest;
    if (wordy) {
      const name = s.month === "long" ? months[t.month - 1] : months[t.month - 1].slice(0, s.month === "short" ? 3 : 1);
      const md = [name, day].filter(Boolean).join(" ");
      rest = year === "" ? md : day === "" ? `${md} ${year}` : `${md}, ${year}`;
    } else {
      const month = s.month === undefined ? "" : s.month === "2-digit" ? two(t.month) : `${t.month}`;
      rest = [month, day, year].filter((p) => p !== "").join("/");
      if (weekday && day && !month && !year) return `${day} ${weekday}`;
    }
    return [weekday, rest].filter(Boolean).join(", ");
  };
  const timePart = (t, s) => {
    const clock = s.cycle === "h12";
    const hour = clock ? t.hour % 12 || 12 : s.cycle === "h24" && t.hour === 0 ? 24 : t.hour;
    const parts = [];
    if (s.hour !== undefined) parts.push(s.hour === "2-digit" || !clock ? two(hour) : `${hour}`);
    if (s.minute !== undefined) parts.push(s.hour !== undefined || s.second !== undefined ? two(t.minute) : `${t.minute}`);
    if (s.second !== undefined) parts.push(s.minute !== undefined || s.hour !== undefined ? two(t.second) : `${t.second}`);
    let text = parts.join(":");
    if (s.fractionalSecondDigits !== undefined) text += (text ? "." : "") + `${t.ms}`.padStart(3, "0").slice(0, s.fractionalSecondDigits);
    if (s.hour !== undefined && clock) text += (t.hour < 12 ? " AM" : " PM");
    return text;
  };
  const formatDate = (date, s) => {
    const time = Number(date);
    if (Number.isNaN(time)) throw new RangeError("Invalid time value");
    const t = native.zoned(time, s.timeZone);
    const d = datePart(t, s);
    const c = timePart(t, s);
    // A weekday alone in front of a time takes no comma.
    const bare = s.weekday !== undefined && s.year === undefined && s.month === undefined && s.day === undefined;
    let text = d && c ? d + (bare ? " " : s.joiner) + c : d + c;
    if (s.timeZoneName) text += (c ? " " : ", ") + (s.timeZoneName === "long" ? "Coordinated Universal Time" : t.zone);
    return text;
  };
  class DateTimeFormat {
    #settings;
    constructor(locales, options) {
      this.#settings = dateSettings(locales, options, "any", "date");
      this.format = (date) => formatDate(date === undefined ? Date.now() : date, this.#settings);
      Object.defineProperty(this, "format", { enumerable: false });
    }
    resolvedOptions() {
      const { locale, timeZone } = this.#settings;
      return { locale, calendar: "gregory", numberingSystem: "latn", timeZone };
    }
    static supportedLocalesOf(locales) {
      return [locales].flat().filter((l) => english.includes(l));
    }
  }

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
    constructor(locales, options = {}) {
      checkOptions(options, ["type", "localeMatcher"], "Intl.PluralRules");
      localeOf(locales, englishNumbers);
      this.#ordinal = oneOf(options.type, ["cardinal", "ordinal"], "type") === "ordinal";
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
  // These two may be called without new.
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
  const Intl = { NumberFormat: callable(NumberFormat), DateTimeFormat: callable(DateTimeFormat), Collator, PluralRules, ListFormat, getCanonicalLocales: (l) => (l === undefined ? [] : [l].flat()) };
  Object.defineProperty(Intl, Symbol.toStringTag, { value: "Intl", configurable: true });
  // A constructor that is missing says so by its name.
  for (const name of ["RelativeTimeFormat", "Segmenter", "DisplayNames", "Locale", "DurationFormat"]) {
    Object.defineProperty(Intl, name, { value: function () { throw unsupported(`Intl.${name}`); }, writable: true, configurable: true });
  }

  const own = (target, group) => {
    for (const name of Object.keys(group)) Object.defineProperty(target, name, { value: group[name], writable: true, configurable: true, enumerable: false });
  };
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
