() => Object.fromEntries(
  [...document.querySelectorAll("li[data-euros]")].map((item) => [item.id, Number(item.dataset.euros)]),
);
