// Dates and times in en-US, for locale.js.
(function (native, shared) {
  const { unsupported, localeOf, checkOptions, oneOf, english } = shared.localeHelpers;

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
      Object.assign(s, { dateStyle, timeStyle, styles: ["dateStyle", "timeStyle"] });
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
  const part = (type, value) => ({ type, value });
  // joined puts a text between lists of parts that are not empty.
  const joined = (lists, text) => lists.filter((l) => l.length > 0).flatMap((l, i) => (i === 0 ? l : [part("literal", text), ...l]));
  const dateParts = (t, s) => {
    const wordy = s.month === "long" || s.month === "short" || s.month === "narrow";
    const day = s.day === undefined ? [] : [part("day", s.day === "2-digit" ? two(t.day) : `${t.day}`)];
    const year = s.year === undefined ? [] : [part("year", s.year === "2-digit" ? two(t.year % 100) : `${t.year}`)];
    const weekday = s.weekday === undefined ? [] : [part("weekday", s.weekday === "long" ? weekdays[t.weekday] : weekdays[t.weekday].slice(0, s.weekday === "short" ? 3 : 1))];
    if (wordy) {
      const name = [part("month", s.month === "long" ? months[t.month - 1] : months[t.month - 1].slice(0, s.month === "short" ? 3 : 1))];
      const rest = joined([joined([name, day], " "), year], day.length > 0 ? ", " : " ");
      return joined([weekday, rest], ", ");
    }
    const month = s.month === undefined ? [] : [part("month", s.month === "2-digit" ? two(t.month) : `${t.month}`)];
    if (weekday.length > 0 && day.length > 0 && month.length + year.length === 0) return joined([day, weekday], " ");
    return joined([weekday, joined([month, day, year], "/")], ", ");
  };
  const timeParts = (t, s) => {
    const clock = s.cycle === "h12";
    const hour = clock ? t.hour % 12 || 12 : s.cycle === "h24" && t.hour === 0 ? 24 : t.hour;
    const given = (f) => s[f] !== undefined;
    const lists = [];
    if (given("hour")) lists.push([part("hour", s.hour === "2-digit" || !clock ? two(hour) : `${hour}`)]);
    if (given("minute")) lists.push([part("minute", given("hour") || given("second") ? two(t.minute) : `${t.minute}`)]);
    if (given("second")) lists.push([part("second", given("minute") || given("hour") ? two(t.second) : `${t.second}`)]);
    let out = joined(lists, ":");
    if (given("fractionalSecondDigits")) out = joined([out, [part("fractionalSecond", `${t.ms}`.padStart(3, "0").slice(0, s.fractionalSecondDigits))]], ".");
    if (given("hour") && clock) out = joined([out, [part("dayPeriod", t.hour < 12 ? "AM" : "PM")]], " ");
    return out;
  };
  const partsOf = (date, s) => {
    const time = Number(date);
    if (Number.isNaN(time)) throw new RangeError("Invalid time value");
    const t = native.zoned(time, s.timeZone);
    const d = dateParts(t, s);
    const c = timeParts(t, s);
    // A weekday alone in front of a time takes no comma, where there is a form for both.
    const alone = s.weekday !== undefined && s.year === undefined && s.month === undefined && s.day === undefined;
    const bare = alone && !s.timeZoneName && (s.minute !== undefined || s.cycle === "h12");
    const out = joined([d, c], bare ? " " : s.joiner);
    if (!s.timeZoneName) return out;
    return joined([out, [part("timeZoneName", s.timeZoneName === "long" ? "Coordinated Universal Time" : t.zone)]], c.length > 0 ? " " : ", ");
  };
  const formatDate = (date, s) => partsOf(date, s).map((p) => p.value).join("");
  class DateTimeFormat {
    #settings;
    constructor(locales, options) {
      this.#settings = dateSettings(locales, options, "any", "date");
      this.format = (date) => formatDate(date === undefined ? Date.now() : date, this.#settings);
      Object.defineProperty(this, "format", { enumerable: false });
    }
    formatToParts(date) {
      const parts = partsOf(date === undefined ? Date.now() : date, this.#settings);
      // Only here the space in front of AM is a narrow one, as in Node.
      return parts.map((p, i) => (parts[i + 1] && parts[i + 1].type === "dayPeriod" ? part("literal", "\u202f") : p));
    }
    resolvedOptions() {
      const s = this.#settings;
      const out = { locale: s.locale, calendar: "gregory", numberingSystem: "latn", timeZone: s.timeZone };
      if (s.hour !== undefined) Object.assign(out, { hourCycle: s.cycle, hour12: s.cycle === "h12" });
      for (const f of s.styles || [...dateFields, ...timeFields, "timeZoneName"]) if (s[f] !== undefined) out[f] = s[f];
      return out;
    }
    static supportedLocalesOf(locales) {
      return [locales].flat().filter((l) => english.includes(l));
    }
  }

  shared.localeDates = { DateTimeFormat, formatDate, dateSettings };
})
