import { work } from "./work.js";

work().then(console.log);
