import { work } from "../work.js";

export const dynamic = "force-dynamic";

/** Rendered on the server. */
export default async function Page() {
  return <pre>{await work()}</pre>;
}
