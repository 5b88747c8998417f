() => ({
  notice: document.querySelector("#notice")?.textContent ?? null,
  rows: document.querySelectorAll("#tides tbody tr").length,
});
