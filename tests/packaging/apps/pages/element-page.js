// Without a bundler, and without CodeMirror, which the element does not insist on.
import { show } from "./show.js";
import { touch } from "./touch.js";
import "./node_modules/step-retry/dist/esm/element.js";

const html = await (await fetch("./snippet.html")).text();
show(touch(html).then(JSON.stringify));
