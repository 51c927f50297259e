// The module's memory is the package's own: it is seen only from below, by those who look before it is made.

/** The memory of each instance that is made from now on. */
export const memories = [];

WebAssembly.Instance = new Proxy(WebAssembly.Instance, {
  construct(Instance, given) {
    const instance = new Instance(...given);
    const { memory } = instance.exports;
    // The decoder of the module's text is given its memory, and is gone before the first call returns.
    if (memory !== undefined) memories.push(memory);
    return instance;
  },
});
