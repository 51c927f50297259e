import { work } from "./work.js";

console.log(await work());
