// performance: a clock.
(function (native, shared) {
  return {
    now: () => native.now(),
    timeOrigin: Date.now(),
    mark() {},
    measure() {},
    toJSON() {
      return { timeOrigin: this.timeOrigin };
    },
  };
})
