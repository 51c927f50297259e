// Writes workerd's configuration: the bundle, and each module that it imports.

import { readdirSync, writeFileSync } from "node:fs";

const wasm = readdirSync("out").filter((name) => name.endsWith(".wasm"));
const modules = [
  '(name = "main.js", esModule = embed "out/main.js")',
  ...wasm.map((name) => `(name = "${name}", wasm = embed "out/${name}")`),
];
writeFileSync(
  "config.capnp",
  `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .app)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const app :Workerd.Worker = (modules = [${modules.join(", ")}], compatibilityDate = "2026-01-01");
`,
);
