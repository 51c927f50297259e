import { work } from "../../work.js";

export const runtime = "edge";
export const dynamic = "force-dynamic";

export async function GET() {
  return new Response(await work());
}
