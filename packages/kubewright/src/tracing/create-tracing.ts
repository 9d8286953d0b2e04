import { OperatorError } from "@kubewright/core/errors";
import type { Transport } from "@kubewright/core/transport";
import { TracedTransport } from "./traced-transport.js";
import { Tracing } from "./tracing.js";

/** The tracing of one operator. */
export interface OperatorTracing extends Pick<Tracing, "within"> {
  /** A transport over `inner` that makes a span of each request. */
  transport(inner: Transport): Transport;
}

/** Loads OpenTelemetry. Rejects with CONFIG_INVALID when the program has not installed it. */
export async function createTracing(): Promise<OperatorTracing> {
  try {
    const tracing = new Tracing(await import("@opentelemetry/api"));
    return {
      within: (work, run, tell) => tracing.within(work, run, tell),
      transport: (inner) => new TracedTransport(inner, tracing),
    };
  } catch (cause) {
    throw new OperatorError("CONFIG_INVALID", "Cannot trace: install the package @opentelemetry/api", { cause });
  }
}
