import { work } from "../../work.js";

export const dynamic = "force-dynamic";

export async function GET() {
  return new Response(await work());
}
