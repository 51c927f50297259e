// A sound workflow file of any length, for what is measured on files.

const step = (number) => `  step_${number}:
    description: Fetch record ${number}.
    execution: auto
    handler: fetch_record
    timeout_seconds: 30
    idempotent: true
    retry:
      max_attempts: 3
      backoff: exponential
      base_delay_ms: 1000
      max_delay_ms: 5000
      on_timeout: true
      total_timeout_seconds: 120
`;

/** A file of so many steps, each with all that can be said about its limits. */
export const file = (steps) =>
  `id: w\nname: W\nversion: 1\nsteps:\n${Array.from({ length: steps }, (_, i) => step(i)).join("")}`;
