import { show } from "./show.js";
import { work } from "./work.js";

show(work());
