// Without it the folder above, with its lock file, would be taken for the app.
export default { turbopack: { root: import.meta.dirname }, outputFileTracingRoot: import.meta.dirname };
