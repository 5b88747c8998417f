// console.table.
(function (native, shared) {
  const cell = (v) => shared.inspect(v, { depth: typeof v === "object" && v !== null && Object.keys(v).length > 2 ? -1 : 0, maxArrayLength: 3, breakLength: Infinity });
  const draw = (head, rows) => {
    const widths = head.map((h, i) => Math.max(h.length, ...rows.map((r) => r[i].length)) + 2);
    const rule = (left, between, right) => left + widths.map((w) => "─".repeat(w)).join(between) + right;
    const line = (cells) => "│" + cells.map((c, i) => ` ${c}`.padEnd(widths[i])).join("│") + "│";
    return [rule("┌", "┬", "┐"), line(head), rule("├", "┼", "┤"), ...rows.map(line), rule("└", "┴", "┘")].join("\n");
  };
  // rowsOf gives the rows of a value, each with its label.
  const rowsOf = (v) => {
    if (shared.isMap(v)) return { label: "(iteration index)", rows: Array.from(v, ([k, x], i) => [`${i}`, { Key: k, Values: x }]) };
    if (shared.isSet(v)) return { label: "(iteration index)", rows: Array.from(v, (x, i) => [`${i}`, x]) };
    return { label: "(index)", rows: Object.keys(v).map((k) => [k, v[k]]) };
  };
  shared.table = (v, columns) => {
    const { label, rows } = rowsOf(v);
    const isRow = (x) => typeof x === "object" && x !== null;
    const keys = columns === undefined ? [...new Set(rows.flatMap(([, x]) => (isRow(x) ? Object.keys(x) : [])))] : columns.map(String);
    const values = rows.some(([, x]) => !isRow(x));
    const own = Object.prototype.hasOwnProperty;
    const body = rows.map(([name, x]) => [name, ...keys.map((k) => (isRow(x) && own.call(x, k) ? cell(x[k]) : "")), ...(values ? [isRow(x) ? "" : cell(x)] : [])]);
    return draw([label, ...keys, ...(values ? ["Values"] : [])], body);
  };
})
