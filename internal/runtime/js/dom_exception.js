// DOMException, with the codes that its names have.
(function (native, shared) {
  class DOMException extends Error {
    constructor(message = "", name = "Error") {
      super(message);
      Object.defineProperty(this, "name", { value: typeof name === "object" && name ? name.name : `${name}`, configurable: true, writable: true });
    }
    get code() {
      return Math.max(legacy.indexOf(this.name), 0);
    }
    get [Symbol.toStringTag]() {
      return "DOMException";
    }
  }
  // The names that have a code, each at it.
  const legacy = ["", "IndexSizeError", "", "HierarchyRequestError", "WrongDocumentError", "InvalidCharacterError", "", "NoModificationAllowedError", "NotFoundError", "NotSupportedError", "InUseAttributeError", "InvalidStateError", "SyntaxError", "InvalidModificationError", "NamespaceError", "InvalidAccessError", "", "TypeMismatchError", "SecurityError", "NetworkError", "AbortError", "URLMismatchError", "QuotaExceededError", "TimeoutError", "InvalidNodeTypeError", "DataCloneError"];
  const constants = {};
  for (const [code, name] of legacy.entries()) {
    if (name !== "") constants[name.replace(/Error$/, "").replace(/(?!^)([A-Z][a-z])/g, "_$1").toUpperCase() + "_ERR"] = { value: code, enumerable: true };
  }
  Object.defineProperties(DOMException, constants);
  Object.defineProperties(DOMException.prototype, constants);
  shared.DOMException = DOMException;
  return DOMException;
})
