import { work } from "../../work.js";

export const config = { runtime: "edge" };

export default async function handler() {
  return new Response(await work());
}
