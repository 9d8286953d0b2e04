import { OperatorError } from "@kubewright/core/errors";
import type { Transport } from "@kubewright/core/transport";
import { TracedTransport } from "./traced-transport.js";
import { Tracing } from "./tracing.js";

/** The tracing of one operator. */
export interface OperatorTracing extends Pick<Tracing, "within" | "traceId"> {
  /** Wraps `inner` so that each request has a span. */
  transport(inner: Transport): Transport;
}

/** Loads OpenTelemetry. Rejects with CONFIG_INVALID if `@opentelemetry/api` is not installed. */
export async function createTracing(): Promise<OperatorTracing> {
  try {
    const tracing = new Tracing(await import("@opentelemetry/api"));
    return {
      within: (work, run, describe) => tracing.within(work, run, describe),
      traceId: () => tracing.traceId(),
      transport: (inner) => new TracedTransport(inner, tracing),
    };
  } catch (cause) {
    throw new OperatorError("CONFIG_INVALID", "Cannot enable tracing: install the package @opentelemetry/api", {
      cause,
    });
  }
}
