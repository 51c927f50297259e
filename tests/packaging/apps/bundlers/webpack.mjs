import webpack from "webpack";

const [entry, path] = process.argv.slice(2);
const options = {
  mode: "production",
  entry,
  performance: false,
  output: { path: `${import.meta.dirname}/${path}`, filename: "main.js" },
};
webpack(options, (failure, stats) => {
  if (failure !== null) throw failure;
  console.log(stats.toString({ all: false, errors: true, warnings: true }));
  if (stats.hasErrors() || stats.hasWarnings()) process.exitCode = 1;
});
