// performance: a clock, and the times between marks.
(function (native, shared) {
  const marks = new Map();
  const entry = (name, entryType, startTime, duration, detail = null) => ({ name, entryType, startTime, duration, detail });
  const timeOf = (mark, otherwise) => {
    if (mark === undefined) return otherwise;
    if (typeof mark === "number") return mark;
    if (!marks.has(`${mark}`)) throw new DOMException(`The "${mark}" performance mark has not been set`, "SyntaxError");
    return marks.get(`${mark}`);
  };
  return {
    now: () => native.now(),
    timeOrigin: Date.now(),
    mark(name, { startTime = native.now(), detail } = {}) {
      marks.set(`${name}`, startTime);
      return entry(`${name}`, "mark", startTime, 0, detail);
    },
    measure(name, from, to) {
      const given = typeof from === "object" && from !== null ? from : { start: from, end: to };
      const start = timeOf(given.start, 0);
      return entry(`${name}`, "measure", start, timeOf(given.end, native.now()) - start, given.detail);
    },
    clearMarks(name) {
      if (name === undefined) marks.clear();
      else marks.delete(`${name}`);
    },
    toJSON() {
      return { timeOrigin: this.timeOrigin };
    },
  };
})
