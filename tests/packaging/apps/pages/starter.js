import { show } from "./show.js";

const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
show(
  new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = reject;
  }),
);
