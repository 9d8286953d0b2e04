import type { Attributes, Span, Tracer } from "@opentelemetry/api";

type OpenTelemetry = typeof import("@opentelemetry/api");

/** The start of a span. */
export interface TracedWork {
  readonly name: string;
  readonly kind: "internal" | "client" | "server";
  readonly attributes: Attributes;
  /** Trace context headers of a received request: its span is the parent. @default the active span */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The end of a span; with `error` it has failed. */
export interface TracedResult {
  readonly attributes: Attributes;
  readonly error?: unknown;
}

/**
 * Creates spans with the OpenTelemetry SDK that the process has set up; without one their cost is negligible.
 *
 * Created by `createTracing`, which loads `@opentelemetry/api` lazily, so that an operator without tracing does not need it.
 */
export class Tracing {
  readonly #api: OpenTelemetry;
  readonly #tracer: Tracer;

  constructor(api: OpenTelemetry) {
    this.#api = api;
    this.#tracer = api.trace.getTracer("kubewright");
  }

  /** Runs `work` in a child span of the active span; `describe` returns the span's result. Rethrows the errors of `work`. */
  async within<T>(
    { name, kind, attributes, headers }: TracedWork,
    work: () => Promise<T>,
    describe: (result: T) => TracedResult,
  ): Promise<T> {
    const { context, propagation, trace, SpanKind: kinds } = this.#api;
    const spanKinds = { client: kinds.CLIENT, server: kinds.SERVER, internal: kinds.INTERNAL } as const;
    const parent = headers === undefined ? context.active() : propagation.extract(context.active(), headers);
    const span = this.#tracer.startSpan(name, { kind: spanKinds[kind], attributes }, parent);
    try {
      const result = await context.with(trace.setSpan(parent, span), work);
      const described = describe(result);
      span.setAttributes(described.attributes);
      if (described.error !== undefined) this.#failed(span, described.error);
      return result;
    } catch (error) {
      this.#failed(span, error);
      throw error;
    } finally {
      span.end();
    }
  }

  /** The id of the active trace; undefined where it is not recorded. */
  traceId(): string | undefined {
    const { context, trace, isSpanContextValid } = this.#api;
    const active = trace.getSpan(context.active())?.spanContext();
    return active !== undefined && isSpanContextValid(active) ? active.traceId : undefined;
  }

  /** The trace context headers of the active span: `traceparent` with a W3C propagator. */
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
