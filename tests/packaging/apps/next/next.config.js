// Next 16 cannot build a route of `app/` for the edge under webpack, whatever is in it: it misses a
// `route_client-reference-manifest.js` of its own. There the edge is reached through `pages/` only.
// (And a list of one extension is more than it can take.)
const pageExtensions = process.env.BUNDLER === "webpack" ? ["js", "jsx"] : ["js", "turbopack.js"];

export default {
  pageExtensions,
  // Without it the folder above, with its lock file, would be taken for the app.
  turbopack: { root: import.meta.dirname },
  outputFileTracingRoot: import.meta.dirname,
};
