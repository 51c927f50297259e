/**
 * Where policies can go, and where they can come from.
 *
 * @module
 */

/** Every engine that a policy can be written for. */
export const EXPORT_TARGETS = [
  "temporal",
  "step-functions",
  "restate",
  "bullmq",
  "cloudflare",
  "conductor",
  "azure-durable",
  "inngest",
  "trigger-dev",
  "hatchet",
  "pg-boss",
  "graphile-worker",
  "argo",
  "github-actions",
  "google-workflows",
  "dbos",
] as const;

/** Everything that a policy can be imported from. */
export const IMPORT_SOURCES = [
  "temporal",
  "step-functions",
  "p-retry",
  "cockatiel",
  "async-retry",
  "polly",
  "tenacity",
] as const;
