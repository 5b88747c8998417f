// A form has its fields as properties, in front of those of every element: with a
// field named children, form.children is that field, in the isolated world too.
// EGOD_NAMEits(el).children is what it is of any other element.
const EGOD_NAMEits = (() => {
  "use strict";
  const views = new WeakMap(); // by form
  const own = {
    get({ form }, name) {
      const value = Reflect.get(HTMLFormElement.prototype, name, form);
      return typeof value === "function" ? value.bind(form) : value;
    },
  };
  return (el) => {
    if (!(el instanceof HTMLFormElement)) return el;
    let view = views.get(el);
    if (!view) views.set(el, view = new Proxy({ form: el }, own));
    return view;
  };
})();
