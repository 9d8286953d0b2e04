import { X509Certificate } from "node:crypto";
import { request as httpsRequest, type RequestOptions } from "node:https";
import { CertificateAuthority } from "@kubewright/core/certificates";
import { FakeClock } from "@kubewright/core/clock";
import { expect, test } from "vitest";
import { ConfigMap } from "../k8s/core/v1.gen.js";
import { createMetrics } from "../metrics/index.js";
import { type CertificateSource, serveWebhooks, type WebhookServerOptions, webhooks } from "./index.js";

const authority = new CertificateAuthority("test");
const certificate = authority.issueServer("hooks", ["localhost"]);
const path = "/validate--v1-configmap";

interface Reply {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

const post = (port: number, body: string, options: RequestOptions = {}): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json" };
    const outgoing = httpsRequest(
      { port, path, method: "POST", host: "localhost", ca: authority.certificate, agent: false, headers, ...options },
      async (incoming) => {
        const text = (await incoming.toArray()).join("");
        resolve({
          status: incoming.statusCode,
          headers: incoming.headers,
          body: text === "" ? undefined : JSON.parse(text),
        });
      },
    );
    outgoing.on("error", reject);
    outgoing.end(body);
  });

const review = (data: object = {}): string =>
  JSON.stringify({
    apiVersion: "admission.k8s.io/v1",
    kind: "AdmissionReview",
    request: {
      uid: "u-1",
      kind: { group: "", version: "v1", kind: "ConfigMap" },
      resource: { group: "", version: "v1", resource: "configmaps" },
      name: "a",
      namespace: "default",
      operation: "CREATE",
      userInfo: {},
      object: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data },
    },
  });

const serve = (options: Partial<WebhookServerOptions>) =>
  serveWebhooks({ address: "127.0.0.1:0", certificate, ...options });

const allowing = webhooks(ConfigMap, { validate: () => {} });

test("bad requests to an admission webhook are denied inside a review, with HTTP status 200, and the server keeps serving", async () => {
  await using server = await serve({ webhooks: [allowing], maxAdmissionBytes: 2_000 });
  const denied = async (body: string, options?: RequestOptions) => {
    const reply = await post(server.port, body, options);
    expect(reply).toMatchObject({
      status: 200,
      body: { kind: "AdmissionReview", response: { uid: "", allowed: false } },
    });
    return (reply.body as { response: { status: { code: number; message: string } } }).response.status;
  };
  expect(await denied("")).toMatchObject({ code: 400, message: "The request body is empty" });
  expect(await denied("{")).toMatchObject({ code: 400 });
  expect(await denied("[]")).toMatchObject({ code: 400, message: "the request body is not an AdmissionReview" });
  expect(await denied(review({ a: "x".repeat(2_000) }))).toMatchObject({ code: 413 });
  expect(await denied(review(), { headers: { "content-type": "text/plain" } })).toMatchObject({
    code: 400,
    message: 'the content type is "text/plain", not application/json',
  });
  expect((await post(server.port, "", { method: "GET" })).status).toBe(405);
  expect((await post(server.port, review(), { path: "/convert" })).status).toBe(404);
  const json = { headers: { "content-type": "application/json; charset=utf-8" } };
  expect(await post(server.port, review(), json)).toMatchObject({ body: { response: { uid: "u-1", allowed: true } } });
});

test("the server's timeout aborts the handler, and a client that disconnects does too", async () => {
  const reasons: unknown[] = [];
  let called = (): void => {};
  const slow = webhooks(ConfigMap, {
    validate: ({ signal }) => {
      called();
      return new Promise((resolve) => {
        signal.addEventListener("abort", () => {
          reasons.push((signal.reason as Error).message);
          resolve();
        });
      });
    },
  });
  const clock = new FakeClock();
  await using server = await serve({ webhooks: [slow], clock });
  let calls = new Promise<void>((resolve) => {
    called = resolve;
  });
  const reply = post(server.port, review(), { path: `${path}?timeout=3s` });
  await calls;
  clock.advance(3_000);
  expect(await reply).toMatchObject({ status: 200, body: { response: { allowed: false, status: { code: 504 } } } });
  calls = new Promise((resolve) => {
    called = resolve;
  });
  const leaving = new AbortController();
  const left = post(server.port, review(), { signal: leaving.signal });
  await calls;
  leaving.abort();
  await expect(left).rejects.toThrow();
  await expect.poll(() => reasons).toEqual(["it did not return within 3 s", "the API server has disconnected"]);
});

test("beyond the limit of requests in flight the API server is asked to retry, and closing waits for those in flight", async () => {
  let release = (): void => {};
  let called = (): void => {};
  const running = new Promise<void>((resolve) => {
    called = resolve;
  });
  const waiting = webhooks(ConfigMap, {
    validate: () => {
      called();
      return new Promise((resolve) => {
        release = resolve;
      });
    },
  });
  const metrics = await createMetrics();
  const server = await serve({ webhooks: [waiting], maxRequestsInFlight: 1, metrics });
  const first = post(server.port, review());
  await running;
  const second = await post(server.port, review());
  expect(second).toMatchObject({ status: 429, headers: { "retry-after": "1" } });
  expect(await metrics.text()).toContain(`controller_runtime_webhook_requests_in_flight{webhook="${path}"} 1`);
  const closed = server.close();
  release();
  expect(await first).toMatchObject({ status: 200, headers: { connection: "close" } });
  await closed;
  await expect(post(server.port, review())).rejects.toThrow("ECONNREFUSED");
  const text = await metrics.text();
  expect(text).toContain(`controller_runtime_webhook_requests_total{webhook="${path}",code="200"} 1`);
  expect(text).toContain(`controller_runtime_webhook_requests_total{webhook="${path}",code="429"} 1`);
  expect(text).toContain(`controller_runtime_webhook_latency_seconds_count{webhook="${path}"} 2`);
  metrics.close();
});

test("a handler that throws is counted", async () => {
  const metrics = await createMetrics();
  const broken = webhooks(ConfigMap, {
    validate: () => {
      throw new Error("broken");
    },
  });
  await using server = await serve({ webhooks: [broken], metrics });
  expect(await post(server.port, review())).toMatchObject({
    status: 200,
    body: { response: { status: { code: 500 } } },
  });
  expect(await metrics.text()).toContain("controller_runtime_webhook_panics_total 1");
  metrics.close();
});

test("a certificate source replaces the certificate while the server runs; the check fails once it has expired", async () => {
  let current = certificate;
  let changed = (): void => {};
  const source: CertificateSource = {
    load: async () => current,
    watch: (onChange) => {
      changed = onChange;
      return { [Symbol.dispose]: () => {} };
    },
  };
  const clock = new FakeClock(Date.now());
  await using server = await serve({ webhooks: [allowing], certificate: source, clock });
  const other = new CertificateAuthority("other");
  current = other.issueServer("hooks", ["localhost"]);
  changed();
  await expect
    .poll(() =>
      post(server.port, review(), { ca: other.certificate }).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBe(200);
  expect(() => server.check()).not.toThrow();
  clock.advance(Date.parse(new X509Certificate(current.certificate).validTo) - clock.now() + 1_000);
  expect(() => server.check()).toThrow("The webhook certificate has expired");
});

test("with a client CA, clients without its certificate are rejected", async () => {
  const clients = new CertificateAuthority("clients");
  await using server = await serve({ webhooks: [allowing], clientCa: clients.certificate });
  await expect(post(server.port, review())).rejects.toThrow();
  const { certificate: cert, privateKey: key } = clients.issueClient({ commonName: "kube-apiserver" });
  expect(await post(server.port, review(), { cert, key })).toMatchObject({ status: 200 });
});
