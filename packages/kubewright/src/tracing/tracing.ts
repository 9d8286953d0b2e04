import type { Attributes, Span, SpanKind, Tracer } from "@opentelemetry/api";

type OpenTelemetry = typeof import("@opentelemetry/api");

/** What is known of a piece of work when it begins. */
export interface TracedWork {
  readonly name: string;
  readonly kind: "internal" | "client";
  readonly attributes: Attributes;
}

/** What is known of it when it has ended; with `error` it has failed. */
export interface TracedResult {
  readonly attributes: Attributes;
  readonly error?: unknown;
}

/**
 * Spans for what an operator does, by OpenTelemetry: whatever SDK the program has set up gets them; without one they cost next to nothing.
 *
 * Made by `createTracing`, which loads `@opentelemetry/api`: programs that do not trace do not need it.
 */
export class Tracing {
  readonly #api: OpenTelemetry;
  readonly #tracer: Tracer;

  constructor(api: OpenTelemetry) {
    this.#api = api;
    this.#tracer = api.trace.getTracer("kubewright");
  }

  /** Does a piece of work in a span of its own, below the one that is active; `tell` says how it went. What `work` throws, it throws. */
  async within<T>(
    { name, kind, attributes }: TracedWork,
    work: () => Promise<T>,
    tell: (result: T) => TracedResult,
  ): Promise<T> {
    const { context, trace, SpanKind: kinds } = this.#api;
    const spanKind: SpanKind = kind === "client" ? kinds.CLIENT : kinds.INTERNAL;
    const span = this.#tracer.startSpan(name, { kind: spanKind, attributes });
    try {
      const result = await context.with(trace.setSpan(context.active(), span), work);
      const told = tell(result);
      span.setAttributes(told.attributes);
      if (told.error !== undefined) this.#failed(span, told.error);
      return result;
    } catch (error) {
      this.#failed(span, error);
      throw error;
    } finally {
      span.end();
    }
  }

  /** The headers by which the other side continues the trace that is active: `traceparent`, where the SDK speaks W3C. */
  headers(): Readonly<Record<string, string>> {
    const { context, propagation } = this.#api;
    const carrier: Record<string, string> = {};
    propagation.inject(context.active(), carrier);
    return carrier;
  }

  #failed(span: Span, error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    span.setStatus({ code: this.#api.SpanStatusCode.ERROR, message });
    span.recordException(error instanceof Error ? error : message);
  }
}
