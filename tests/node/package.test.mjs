// What the built package promises as a package: its entries, how it starts, and how it fails.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import * as esm from "step-retry";
import * as slim from "step-retry/slim";
import { loadSource } from "./source.mjs";

const require = createRequire(import.meta.url);
const root = new URL("../../", import.meta.url);
const dist = new URL("pkg/dist/", root);
const read = (url) => readFileSync(url, "utf8");
const wasm = readFileSync(require.resolve("step-retry/step_retry.wasm"));
const FILE = "id: w\nname: W\nversion: 1\nsteps: {}\n";

/** Runs a module of its own in a fresh process and returns what it printed. */
function fresh(lines) {
  return execFileSync(process.execPath, ["--input-type=module", "--eval", lines.join("\n")], {
    cwd: new URL(".", import.meta.url),
    encoding: "utf8",
  }).trim();
}

/** What a built bundle exports. */
function exported(file) {
  const [, names] = read(new URL(file, dist)).match(/export\{([^}]*)\};?\s*$/);
  return names
    .split(",")
    .map((name) => name.replace(/.* as /, ""))
    .sort();
}

test("every entry has the same names", () => {
  const names = Object.keys(esm).sort();
  assert.deepEqual(Object.keys(slim).sort(), names);
  assert.deepEqual(Object.keys(require("step-retry")).sort(), names);
  assert.deepEqual(Object.keys(require("step-retry/slim")).sort(), names);
  assert.deepEqual(exported("esm/index.workerd.js"), names);
});

test("the entry for running has the names of the default one but for what it is smaller by, and works alike", async () => {
  const run = await import("step-retry/run");
  const names = Object.keys(esm).filter((name) => !["init", "initSync", "simulate", "validate"].includes(name));
  assert.deepEqual(Object.keys(run).sort(), names.sort());
  assert.deepEqual(Object.keys(require("step-retry/run")).sort(), names);
  assert.deepEqual(exported("esm/run.workerd.js"), names);
  const step = { timeout_seconds: 5, idempotent: true, retry: { max_attempts: 4, backoff: "exponential" } };
  assert.deepEqual(run.plan(step), esm.plan(step));
  assert.deepEqual(run.planRows(step), esm.planRows(step));
  const { ok, value } = await run.runStep(step, () => 42);
  assert.deepEqual({ ok, value }, { ok: true, value: 42 });
  assert.throws(() => run.plan({ timeout_seconds: 0 }), { code: "INVALID_VALUE" });
  for (const ask of [run.plan, run.planRows]) {
    const refusal = {
      code: "INVALID_ARGUMENT",
      message: /needs the entry step-retry/,
      path: ["options", "percentiles"],
    };
    assert.throws(() => ask(step, { percentiles: [50] }), refusal);
  }
});

test("the version is one and the same in Cargo.toml, package.json and version()", () => {
  const { version } = JSON.parse(read(new URL("pkg/package.json", root)));
  assert.equal(/^version = "(.*)"$/m.exec(read(new URL("Cargo.toml", root)))[1], version);
  assert.equal(esm.version().version, version);
  assert.match(esm.version().commit ?? "0000000", /^[0-9a-f]{7,40}$/);
});

test("what its pages link to is in the package", () => {
  const pkg = new URL("pkg/", root);
  const pages = ["README.md", ...readdirSync(new URL("docs/", dist)).map((name) => `dist/docs/${name}`)];
  assert.ok(pages.length > 5);
  for (const page of pages) {
    const links = [...read(new URL(page, pkg)).matchAll(/\]\(([^)#]+)[^)]*\)/g)].map(([, link]) => link);
    for (const link of links.filter((link) => !link.startsWith("https:"))) {
      const { href } = new URL(link, new URL(page, pkg));
      assert.ok(href === `${pkg}README.md` || href.startsWith(`${dist}`), `${page}: ${link} is not in the package`);
      assert.ok(existsSync(fileURLToPath(href)), `${page}: ${link} is not there`);
    }
  }
});

test("the entries need nothing from a host but WebAssembly", () => {
  for (const file of ["esm/index.js", "cjs/index.cjs", "esm/slim.js", "cjs/slim.cjs", "esm/index.workerd.js"]) {
    const code = read(new URL(file, dist));
    assert.doesNotMatch(code, /import\.meta|\brequire\(|\bfrom ?"node:|XMLHttpRequest|\beval\(/, file);
  }
});

test("no folder of the machine that built it is in the module", () => {
  assert.doesNotMatch(wasm.toString("latin1"), /\/(home|root|Users|tmp)\/|\.cargo|\.rustup/);
});

test("importing the default entry compiles nothing, the first call does so once", () => {
  const printed = fresh([
    "let compiled = 0;",
    "const construct = (target, [bytes]) => ((compiled += bytes.length > 1000 ? 1 : 0), new target(bytes));",
    "WebAssembly.Module = new Proxy(WebAssembly.Module, { construct });",
    'const { validate } = await import("step-retry");',
    "console.log(compiled);",
    "validate(''); validate('');",
    "console.log(compiled);",
  ]);
  assert.equal(printed, "0\n1");
});

test("the decoder of the inlined module is its source, assembled", () => {
  const assembler = fileURLToPath(new URL("node_modules/binaryen/bin/wasm-opt", root));
  const source = fileURLToPath(new URL("pkg/src/decode.wat", root));
  const assembled = execFileSync(assembler, ["-Oz", source, "--output", "-"]);
  const [, inlined] = read(new URL("pkg/src/bytes.ts", root)).match(/"(0061736d[0-9a-f]+)"/);
  assert.equal(inlined, assembled.toString("hex"));
});

test("the inlined module is the one that is shipped beside it", async () => {
  const { decode, encode } = await loadSource("pkg/src/bytes.ts");
  assert.deepEqual(Buffer.from(decode(encode(wasm))), wasm);
  const every = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  for (const bytes of [every, every.slice().reverse(), new Uint8Array(0), new Uint8Array(3)]) {
    assert.deepEqual(new Uint8Array(decode(encode(bytes))), bytes);
  }
  const text = encode(wasm);
  assert.match(text, /^[ -~]*$/);
  assert.doesNotMatch(text, /["'`\\$<]/);
  assert.ok(read(new URL("esm/index.js", dist)).includes(text.slice(0, 4096)));
});

test("where compiling is forbidden the error says which directive to add", () => {
  const printed = fresh([
    "WebAssembly.Module = class { constructor() { throw new WebAssembly.CompileError('blocked by CSP'); } };",
    'const { validate } = await import("step-retry");',
    "try { validate(''); } catch (error) { console.log(error.code, error.message, error.cause.name); }",
  ]);
  assert.match(printed, /^WASM_BLOCKED .*blocked by CSP.*script-src 'self' 'wasm-unsafe-eval'.* CompileError$/);
});

test("after a trap the call fails as INTERNAL and the next one works", () => {
  const printed = fresh([
    "const Real = WebAssembly.Instance;",
    "let instances = 0;",
    "let breaks = false;",
    // Which export a call uses is the package's own affair: the next one traps, whatever it is called.
    "const trapping = (call) => (...given) => {",
    "  if (!breaks) return call(...given);",
    "  breaks = false;",
    "  throw new WebAssembly.RuntimeError('unreachable');",
    "};",
    "WebAssembly.Instance = function (module, imports) {",
    "  const { exports } = new Real(module, imports);",
    "  if (!('memory' in exports)) return { exports };",
    "  instances += 1;",
    "  const all = Object.entries(exports);",
    "  return { exports: Object.fromEntries(all.map(([name, it]) => [name, typeof it === 'function' ? trapping(it) : it])) };",
    "};",
    "WebAssembly.Instance.prototype = Real.prototype;",
    'const { validate, plan } = await import("step-retry");',
    "console.log(plan({}).maxAttempts);",
    "breaks = true;",
    "try { validate(''); } catch (error) { console.log(error.name, error.code); }",
    `console.log(validate(${JSON.stringify(FILE)}).summary, instances);`,
  ]);
  assert.equal(printed, "1\nStepRetryError INTERNAL\nValid: w v1 (0 steps) 2");
});

test("slim says what is missing, and starts from bytes, a module or a response", async () => {
  assert.throws(() => slim.validate(FILE), { code: "WRONG_STATE", message: /init\(\) or initSync\(\)/ });
  await assert.rejects(slim.init(), { code: "INVALID_ARGUMENT" });
  await assert.rejects(slim.init(new Response("", { status: 404 })), { code: "INVALID_ARGUMENT", message: /404/ });
  const page = "<!doctype html>";
  assert.throws(() => slim.initSync(Buffer.from(page)), { code: "INVALID_ARGUMENT", message: /no WebAssembly module/ });
  await assert.rejects(slim.init(new Response(page)), { code: "INVALID_ARGUMENT", message: /no WebAssembly module/ });
  await slim.init(new Response(wasm, { headers: { "content-type": "application/wasm" } }));
  await slim.init();
  assert.equal(slim.validate(FILE).summary, "Valid: w v1 (0 steps)");

  const other = require("step-retry/slim");
  other.initSync(new WebAssembly.Module(wasm));
  assert.equal(other.validate(FILE).summary, "Valid: w v1 (0 steps)");
});

test("errors are recognised across copies of the package, and nothing else is", () => {
  const thrown = (use) => {
    try {
      use();
    } catch (error) {
      return error;
    }
    return assert.fail("nothing was thrown");
  };
  const misuse = thrown(() => require("step-retry").validate(7));
  assert.ok(!(misuse instanceof esm.StepRetryError));
  assert.ok(esm.isStepRetryError(misuse));
  assert.deepEqual([misuse.name, misuse.code, misuse.path], ["StepRetryError", "INVALID_ARGUMENT", ["source"]]);
  const failed = require("step-retry").simulate({}, [{ result: "fatal", message: "no" }]).error;
  assert.ok(esm.isStepError(failed) && !esm.isStepRetryError(failed));
  for (const other of [new Error("x"), null, undefined, "x", { code: "INTERNAL" }]) {
    assert.ok(!esm.isStepRetryError(other) && !esm.isStepError(other));
  }
});

test("a source is a string or the bytes of one", () => {
  assert.deepEqual(esm.validate(Buffer.from(FILE)), esm.validate(FILE));
  const padded = new Uint8Array([1, 2, ...Buffer.from(FILE), 3]);
  assert.deepEqual(esm.validate(padded.subarray(2, -1)), esm.validate(FILE));
  assert.throws(() => esm.validate(new Uint8Array([0x69, 0x64, 0xff])), { code: "NOT_UTF8" });
  for (const source of [undefined, null, 5, {}, [], new ArrayBuffer(3), new Uint16Array(3), new String("id: w")]) {
    assert.throws(() => esm.validate(source), { code: "INVALID_ARGUMENT", path: ["source"] });
  }
  assert.throws(() => esm.validate(FILE, { strict: "yes" }), { code: "INVALID_ARGUMENT", path: ["strict"] });
});

test("offsets count UTF-16 units of the given string, whatever is in it", () => {
  const steps =
    "steps:\n  s:\n    description: d\n    execution: auto\n    retry: { jitter: 1 }\n    timeout_seconds: 1\n";
  for (const name of ["plain", "Zoë", "日本", "🙂🙂", "\ud83d", "a\udc00b", "\ud83d\ud83d\ude42"]) {
    for (const [before, lineEnd] of [
      ["", "\n"],
      ["\ufeff", "\n"],
      ["", "\r\n"],
    ]) {
      const source = `${before}id: w\nname: "${name}"\nversion: 1\n${steps}`.replace(/\n/g, lineEnd);
      const { diagnostics } = esm.validate(source);
      assert.deepEqual(
        diagnostics.map(({ code }) => code),
        ["UNKNOWN_RETRY_KEY"],
        JSON.stringify(source),
      );
      const { start, end } = diagnostics[0].range;
      assert.equal(source.slice(start.offset, end.offset), "jitter", JSON.stringify(source));
    }
  }
});

test("a long source grows the buffer, and a short one after it is read alone", () => {
  const comment = `# ${"é🙂\ud800x".repeat(400_000)}\n`;
  assert.equal(esm.validate(comment + FILE).summary, "Valid: w v1 (0 steps)");
  assert.equal(esm.validate(FILE).summary, "Valid: w v1 (0 steps)");
  assert.throws(() => esm.validate("x".repeat(2 ** 28 + 1)), { code: "INVALID_ARGUMENT" });
});
