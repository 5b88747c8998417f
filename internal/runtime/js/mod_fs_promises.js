// node:fs/promises.
(function (native, shared) {
  return native.module("fs").promises;
})
