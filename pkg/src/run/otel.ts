/**
 * Runs as OpenTelemetry traces. Nothing is imported: the tracer and, where wanted, the API come from the caller.
 *
 * @module
 */

import type { OtelApi, RunEvent, SpanLike, TracerLike } from "../types.js";

/** `SpanStatusCode.ERROR` of the API. */
const STATUS_ERROR = 2;

/** The spans of one run. */
interface Trace {
  step: SpanLike;
  attempt?: SpanLike;
  /** What attempts are children of. */
  context: unknown;
}

/**
 * A listener that makes a span for each step and one for each attempt. Waits are events of the step's span.
 *
 * With `api` (the whole of `@opentelemetry/api`) attempts are children of their step. Without it all are
 * children of whatever is active. One listener may serve any number of runs.
 *
 * @returns What `options.onEvent` takes.
 */
export function otel<Context = unknown>(
  tracer: TracerLike<Context>,
  api?: OtelApi<Context>,
): (event: RunEvent) => void {
  const traces = new Map<number, Trace>();

  const traceOf = (event: RunEvent): Trace => {
    const known = traces.get(event.run);
    if (known !== undefined) return known;
    const attributes = {
      "step_retry.step": event.step,
      "step_retry.max_attempts": event.maxAttempts,
      ...(event.taskId !== undefined && { "step_retry.task_id": event.taskId }),
    };
    const active = api?.context.active();
    const step = tracer.startSpan(`step ${event.step}`, { attributes }, active as Context);
    const context = api?.trace.setSpan(active as Context, step);
    const trace: Trace = { step, context };
    traces.set(event.run, trace);
    return trace;
  };

  return (event) => {
    const trace = traceOf(event);
    const { step } = trace;
    switch (event.type) {
      case "attempt": {
        const attributes = {
          "step_retry.step": event.step,
          "step_retry.attempt": event.attempt,
          ...(event.timeoutMs !== null && { "step_retry.timeout_ms": event.timeoutMs }),
          ...(event.clippedToMs !== undefined && { "step_retry.clipped_to_ms": event.clippedToMs }),
        };
        trace.attempt = tracer.startSpan(`attempt ${event.step}`, { attributes }, trace.context as Context);
        return;
      }
      case "failed":
        endFailed(trace.attempt, event.error.code, event.error.message);
        delete trace.attempt;
        return;
      case "waiting":
        step.addEvent("waiting", { "step_retry.wait_ms": event.ms, "step_retry.attempt": event.attempt });
        return;
      case "succeeded":
        trace.attempt?.end();
        step.setAttribute("step_retry.attempts", event.attempt);
        step.end();
        break;
      case "gaveUp":
        step.setAttribute("step_retry.attempts", event.attempt);
        if (event.exhaustedBy !== undefined) step.setAttribute("step_retry.exhausted_by", event.exhaustedBy);
        endFailed(step, event.code, event.message);
        break;
      case "aborted":
        endFailed(trace.attempt, "STEP_ABORTED", event.message);
        step.setAttribute("step_retry.attempts", event.attempt);
        endFailed(step, "STEP_ABORTED", event.message);
    }
    traces.delete(event.run);
  };
}

function endFailed(span: SpanLike | undefined, code: string, message: string): void {
  span?.setAttribute("error.type", code);
  span?.setStatus({ code: STATUS_ERROR, message });
  span?.end();
}
