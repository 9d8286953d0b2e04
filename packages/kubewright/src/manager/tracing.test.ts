import { AsyncLocalStorage } from "node:async_hooks";
import { request as httpsRequest } from "node:https";
import { startCluster } from "@kubewright/cluster";
import { CertificateAuthority } from "@kubewright/core/certificates";
import { FakeClock } from "@kubewright/core/clock";
import { type LogFields, type Logger, silentLogger } from "@kubewright/core/log";
import type { Transport, TransportRequest } from "@kubewright/core/transport";
import { type Context, context, propagation, ROOT_CONTEXT, type Span, trace } from "@opentelemetry/api";
import { afterEach, expect, test } from "vitest";
import { ConfigMap, Secret } from "../../test/kinds.js";
import { createClient } from "../client/index.js";
import { controller } from "../reconcile/index.js";
import { serveWebhooks, webhooks } from "../webhook/index.js";
import { operator } from "./index.js";

interface Recorded {
  readonly name: string;
  readonly id: string;
  readonly parent: string | undefined;
  readonly attributes: Record<string, unknown>;
  error: string | undefined;
  ended: boolean;
}

/** A minimal OpenTelemetry SDK that records spans. */
function startRecording(): Recorded[] {
  const spans: Recorded[] = [];
  const storage = new AsyncLocalStorage<Context>();
  context.setGlobalContextManager({
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (active, run, self, ...args) => storage.run(active, () => run.call(self, ...args)),
    bind: (_, target) => target,
    enable() {
      return this;
    },
    disable() {
      return this;
    },
  });
  const startSpan = (name: string, options: { attributes?: object } = {}, within = context.active()): Span => {
    const id = String(spans.length + 1).padStart(16, "0");
    const parent = trace.getSpan(within)?.spanContext().spanId;
    const span: Recorded = { name, id, parent, attributes: { ...options.attributes }, error: undefined, ended: false };
    spans.push(span);
    return {
      spanContext: () => ({ traceId: "1".repeat(32), spanId: id, traceFlags: 1 }),
      setAttributes: (attributes: object) => Object.assign(span.attributes, attributes),
      setStatus: ({ message }: { message?: string }) => {
        span.error = message;
      },
      recordException: () => {},
      end: () => {
        span.ended = true;
      },
    } as unknown as Span;
  };
  trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan, startActiveSpan: () => undefined as never }) });
  propagation.setGlobalPropagator({
    inject: (active, carrier) => {
      const { spanId = "none" } = trace.getSpan(active)?.spanContext() ?? {};
      Object.assign(carrier as object, { traceparent: spanId });
    },
    extract: (active, carrier) => {
      const spanId = (carrier as { traceparent?: string }).traceparent ?? "none";
      return trace.setSpan(active, trace.wrapSpanContext({ traceId: "1".repeat(32), spanId, traceFlags: 1 }));
    },
    fields: () => ["traceparent"],
  });
  return spans;
}

afterEach(() => {
  context.disable();
  trace.disable();
  propagation.disable();
});

test("each reconcile is a span with its causes and outcome, and its requests are child spans", async () => {
  const spans = startRecording();
  const clock = new FakeClock();
  const cluster = await startCluster({ clock });
  const client = createClient(cluster.transport);
  const sent: TransportRequest[] = [];
  const transport: Transport = {
    send: (request) => {
      sent.push(request);
      return cluster.transport.send(request);
    },
    stream: (request) => cluster.transport.stream(request),
    close: async () => {},
  };
  const copies = controller(Secret, {
    name: "copies",
    owns: [ConfigMap],
    reconcile: async ({ object, apply }) => {
      if (object.metadata.name === "bad") throw new Error("it is bad");
      await apply(ConfigMap, { metadata: { name: object.metadata.name }, data: { a: "b" } });
    },
  });
  const traced = operator({ name: "traced", controllers: [copies] });
  const failures: LogFields[] = [];
  const logger = (fields: LogFields): Logger => ({
    ...silentLogger,
    error: (line) => void failures.push({ ...fields, ...line }),
    child: (more) => logger({ ...fields, ...more }),
  });
  await using running = await traced.start({ transport, clock, tracing: true, logger: logger({}) });
  await client.create(Secret, { metadata: { name: "token" } });
  await client.create(Secret, { metadata: { name: "bad" } });
  for (let quiet = 0; quiet < 3; quiet = cluster.idle && running.idle ? quiet + 1 : 0)
    await new Promise((resolve) => setImmediate(resolve));
  expect(failures[0]).toMatchObject({
    key: "default/bad",
    traceId: "1".repeat(32),
    causes: ["Secret default/bad, added"],
  });
  const run = spans.find(
    ({ name, attributes }) => name === "Reconcile copies" && attributes["kubewright.name"] === "token",
  );
  expect(run?.attributes).toMatchObject({
    "kubewright.kind": "/v1/Secret",
    "k8s.namespace.name": "default",
    "kubewright.causes": ["for added /v1/Secret token"],
    "kubewright.outcome": "done",
  });
  const below = spans.filter(({ parent }) => parent === run?.id);
  expect(below.map(({ name, attributes }) => `${name} ${attributes["http.response.status_code"]}`)).toEqual([
    "PATCH /api/v1/namespaces/{name}/configmaps/{name} 201",
  ]);
  expect(sent.find(({ method }) => method === "PATCH")?.headers?.["traceparent"]).toBe(below[0]?.id);
  expect(spans.find(({ attributes }) => attributes["kubewright.name"] === "bad")?.error).toBe("it is bad");
  expect(spans.every(({ ended }) => ended)).toBe(true);
  expect(spans.map(({ name }) => name)).toContain("GET /api/v1/secrets");
});

test("each request to a webhook is a span in the trace of the API server", async () => {
  const spans = startRecording();
  const authority = new CertificateAuthority("test");
  const certificate = authority.issueServer("hooks", ["localhost"]);
  const hooks = [webhooks(ConfigMap, { validate: () => {} })];
  await using server = await serveWebhooks({ webhooks: hooks, address: "127.0.0.1:0", certificate, tracing: true });
  const path = "/validate--v1-configmap";
  await new Promise<void>((resolve, reject) => {
    const headers = { "content-type": "application/json", traceparent: "a".repeat(16) };
    const options = { method: "POST", host: "localhost", port: server.port, ca: authority.certificate, agent: false };
    httpsRequest({ ...options, path, headers }, (response) => response.resume().once("end", resolve))
      .once("error", reject)
      .end("{}");
  });
  expect(spans).toMatchObject([
    {
      name: `POST ${path}`,
      parent: "a".repeat(16),
      attributes: { "url.path": path, "http.response.status_code": 200 },
      ended: true,
    },
  ]);
});
