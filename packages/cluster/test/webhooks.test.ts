import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { WebhookRequest, WebhookTransport } from "@kubewright/cluster";
import { CertificateAuthority } from "@kubewright/core/certificates";
import { expect, test } from "vitest";
import {
  configMaps,
  definitions,
  type Loose,
  sampleDefinition,
  startTestCluster,
  type TestCluster,
} from "./test-cluster.js";

const admissionApi = "/apis/admissionregistration.k8s.io/v1";
const configMap = (name: string, data: Loose = {}): Loose => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name },
  data,
});

function hook(fields: Loose = {}): Loose {
  return {
    name: "hook.example.com",
    admissionReviewVersions: ["v1"],
    sideEffects: "None",
    clientConfig: { service: { namespace: "default", name: "hooks", path: "/hook" } },
    rules: [{ operations: ["*"], apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"] }],
    ...fields,
  };
}

async function configure(
  cluster: TestCluster,
  kind: "Mutating" | "Validating",
  webhooks: readonly Loose[],
): Promise<void> {
  const { status, body } = await cluster.post(`${admissionApi}/${kind.toLowerCase()}webhookconfigurations`, {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: `${kind}WebhookConfiguration`,
    metadata: { name: "hooks" },
    webhooks,
  });
  expect(status, body.message).toBe(201);
}

/** The response to an AdmissionReview. */
function respond({ review }: WebhookRequest, response: Loose = {}): Loose {
  const { apiVersion, kind, request } = review as Loose;
  return { status: 200, body: { apiVersion, kind, response: { uid: request.uid, allowed: true, ...response } } };
}

const patching = (...operations: readonly Loose[]): Loose => ({
  patchType: "JSONPatch",
  patch: Buffer.from(JSON.stringify(operations)).toString("base64"),
});

test("a webhook in process receives the review of a Service's clientConfig, and patches the object", async () => {
  const calls: Loose[] = [];
  const cluster = await startTestCluster({
    webhookTransport(request) {
      calls.push(request);
      return Promise.resolve(respond(request, patching({ op: "add", path: "/data/added", value: "yes" })));
    },
  });
  await configure(cluster, "Mutating", [hook()]);
  const { body } = await cluster.post(configMaps, configMap("a", { k: "v" }));
  expect(body.data).toEqual({ k: "v", added: "yes" });
  expect(calls).toHaveLength(1);
  expect(calls[0]).toMatchObject({
    service: { namespace: "default", name: "hooks", port: 443 },
    path: "/hook",
    timeoutMs: 10_000,
    review: { apiVersion: "admission.k8s.io/v1", request: { operation: "CREATE", name: "a", namespace: "default" } },
  });
  await cluster.cluster.close();
});

test("a webhook that changes its review does not change the object", async () => {
  const cluster = await startTestCluster({
    webhookTransport(request) {
      (request.review as Loose).request.object.data.k = "changed";
      return Promise.resolve(respond(request));
    },
  });
  await configure(cluster, "Validating", [hook()]);
  const { body } = await cluster.post(configMaps, configMap("a", { k: "v" }));
  expect(body.data).toEqual({ k: "v" });
  await cluster.cluster.close();
});

test("a webhook that does not respond in time fails the request, and its signal is aborted", async () => {
  let signal: AbortSignal | undefined;
  const never: WebhookTransport = (request) => {
    signal = request.signal;
    return new Promise(() => undefined);
  };
  const cluster = await startTestCluster({ webhookTransport: never });
  await configure(cluster, "Validating", [hook({ timeoutSeconds: 5 })]);
  const pending = cluster.post(configMaps, configMap("a"));
  await new Promise(setImmediate);
  expect(signal?.aborted).toBe(false);
  await cluster.clock.advance(5_000);
  const { status, body } = await pending;
  expect(status).toBe(500);
  expect(body.message).toContain(
    'failed calling webhook "hook.example.com": failed to call webhook: Post "https://hooks.default.svc:443/hook?timeout=5s": context deadline exceeded',
  );
  expect(signal?.aborted).toBe(true);
  expect(cluster.clock.pendingTimers).toBe(0);
  await cluster.cluster.close();
});

test("the failurePolicy decides about a transport that fails", async () => {
  for (const [failurePolicy, expected] of [
    ["Fail", 500],
    ["Ignore", 201],
  ] as const) {
    const cluster = await startTestCluster({ webhookTransport: () => Promise.reject(new Error("broken")) });
    await configure(cluster, "Mutating", [hook({ failurePolicy })]);
    expect((await cluster.post(configMaps, configMap("a"))).status).toBe(expected);
    await cluster.cluster.close();
  }
});

test("audit events are annotated with the calls and patches of webhooks, and with failures that are ignored", async () => {
  let annotations: Record<string, string> = {};
  const cluster = await startTestCluster({
    audit: {
      observe: () => {},
      annotate: (key, value) => {
        expect(annotations).not.toHaveProperty([key]);
        annotations[key] = value;
      },
    },
    webhookTransport(request) {
      if (request.path === "/broken") return Promise.reject(new Error("broken"));
      const auditAnnotations = { seen: "<yes>", "no key": "dropped", "a/b": "dropped" };
      const operation = { value: "<1>", path: "/data/first", op: "add" };
      return Promise.resolve(respond(request, request.path === "/patch" ? patching(operation) : { auditAnnotations }));
    },
  });
  const at = (path: string): Loose => ({ clientConfig: { service: { namespace: "default", name: "hooks", path } } });
  const broken = { ...at("/broken"), name: "broken.example.com", failurePolicy: "Ignore" };
  await configure(cluster, "Mutating", [
    hook({ name: "other.example.com", rules: [] }),
    hook({ ...at("/patch"), name: "patch.example.com" }),
    hook(broken),
  ]);
  await configure(cluster, "Validating", [hook({ ...at("/seen"), name: "seen.example.com" }), hook(broken)]);
  annotations = {};
  await cluster.post(configMaps, configMap("a", { k: "v" }));
  // As kube-apiserver writes them: conformance/audit compares.
  const patch = '[{"op":"add","path":"/data/first","value":"\\u003c1\\u003e"}]';
  expect(annotations).toEqual({
    "patch.webhook.admission.k8s.io/round_0_index_1": `{"configuration":"hooks","webhook":"patch.example.com","patch":${patch},"patchType":"JSONPatch"}`,
    "mutation.webhook.admission.k8s.io/round_0_index_1":
      '{"configuration":"hooks","webhook":"patch.example.com","mutated":true}',
    "mutation.webhook.admission.k8s.io/round_0_index_2":
      '{"configuration":"hooks","webhook":"broken.example.com","mutated":false}',
    "failed-open.mutation.webhook.admission.k8s.io/round_0_index_2": "broken.example.com",
    "failed-open.validating.webhook.admission.k8s.io/round_0_index_1": "broken.example.com",
    "seen.example.com/seen": "<yes>",
  });
  await cluster.cluster.close();
});

test("a request that no webhook matches does not call one", async () => {
  let calls = 0;
  const cluster = await startTestCluster({
    webhookTransport(request) {
      calls++;
      return Promise.resolve(respond(request, { allowed: false }));
    },
  });
  await configure(cluster, "Validating", [hook({ namespaceSelector: { matchLabels: { a: "b" } } })]);
  expect((await cluster.post(configMaps, configMap("a"))).status).toBe(201);
  const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "a" } };
  expect((await cluster.post("/api/v1/namespaces/default/secrets", secret)).status).toBe(201);
  expect(calls).toBe(0);
  await cluster.cluster.close();
});

test("an update whose object changes while a webhook is called is retried on the new version", async () => {
  let calls = 0;
  const cluster: TestCluster = await startTestCluster({
    async webhookTransport(request) {
      calls++;
      // Another client writes while the first call is pending.
      if (calls === 1) await cluster.merge(`${configMaps}/a`, { data: { theirs: "1" } }, { fieldManager: "other" });
      return respond(request);
    },
  });
  await cluster.post(configMaps, configMap("a"));
  await configure(cluster, "Mutating", [
    hook({ matchConditions: [{ name: "ours", expression: "request.options.fieldManager == 'ours'" }] }),
  ]);
  await cluster.merge(`${configMaps}/a`, { data: { ours: "1" } }, { fieldManager: "ours" });
  expect((await cluster.get(`${configMaps}/a`)).body.data).toEqual({ ours: "1", theirs: "1" });
  expect(calls).toBe(2);
  await cluster.cluster.close();
});

test("a webhook is called over HTTPS with the CA of its clientConfig, and connections are kept", async () => {
  const authority = new CertificateAuthority("hooks");
  const { certificate, privateKey } = authority.issueServer("hooks", ["127.0.0.1"]);
  const sockets = new Set<unknown>();
  const paths: string[] = [];
  const server = createServer({ cert: certificate, key: privateKey }, async (request, response) => {
    sockets.add(request.socket);
    paths.push(request.url ?? "");
    const review = JSON.parse(await text(request));
    response.end(JSON.stringify(respond({ review } as WebhookRequest).body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const cluster = await startTestCluster();
  const url = `https://127.0.0.1:${port}/validate`;
  const caBundle = Buffer.from(authority.certificate).toString("base64");
  await configure(cluster, "Validating", [hook({ clientConfig: { url, caBundle }, timeoutSeconds: 3 })]);
  for (const name of ["a", "b", "c"]) expect((await cluster.post(configMaps, configMap(name))).status).toBe(201);
  expect(paths).toEqual(["/validate?timeout=3s", "/validate?timeout=3s", "/validate?timeout=3s"]);
  expect(sockets.size).toBe(1);
  const configuration = `${admissionApi}/validatingwebhookconfigurations/hooks`;
  await cluster.patch("application/json-patch+json", configuration, [
    { op: "remove", path: "/webhooks/0/clientConfig/caBundle" },
  ]);
  const { status, body } = await cluster.post(configMaps, configMap("d"));
  expect(status).toBe(500);
  expect(body.message).toContain("tls: failed to verify certificate: x509: certificate signed by unknown authority");
  await cluster.cluster.close();
  await new Promise((resolve) => server.close(resolve));
});

test("a conversion webhook is called in process, once for a list", async () => {
  const calls: Loose[] = [];
  const cluster = await startTestCluster({
    webhookTransport({ review, path }) {
      const { request, ...type } = review as Loose;
      calls.push([path, request.desiredAPIVersion, request.objects.length]);
      const convertedObjects = request.objects.map((object: Loose) => ({
        ...object,
        apiVersion: request.desiredAPIVersion,
        spec: { size: object.spec.size * 10 },
      }));
      const response = { uid: request.uid, convertedObjects, result: { status: "Success" } };
      return Promise.resolve({ status: 200, body: { ...type, response } });
    },
  });
  const schema = {
    openAPIV3Schema: {
      type: "object",
      properties: { spec: { type: "object", properties: { size: { type: "integer" } } } },
    },
  };
  const versions = [
    { name: "v1", served: true, storage: true, schema },
    { name: "v2", served: true, storage: false, schema },
  ];
  const clientConfig = { service: { namespace: "default", name: "hooks", path: "/convert" } };
  const conversion = { strategy: "Webhook", webhook: { clientConfig, conversionReviewVersions: ["v1"] } };
  await cluster.post(definitions, sampleDefinition({}, { versions, conversion }));
  const samples = (version: string): string => `/apis/example.com/${version}/namespaces/default/samples`;
  for (const name of ["a", "b"])
    await cluster.post(samples("v1"), {
      apiVersion: "example.com/v1",
      kind: "Sample",
      metadata: { name },
      spec: { size: 1 },
    });
  expect(calls).toEqual([]);
  const { body } = await cluster.get(samples("v2"));
  expect(body.items.map((item: Loose) => item.spec.size)).toEqual([10, 10]);
  expect(calls).toEqual([["/convert", "example.com/v2", 2]]);
  await cluster.cluster.close();
});

test("managedFields that a webhook makes invalid are restored, with a warning", async () => {
  const broken = { op: "add", path: "/metadata/managedFields/0/fieldsV1", value: { "f:x": 1 } };
  const cluster = await startTestCluster({
    webhookTransport: (request) => Promise.resolve(respond(request, patching(broken))),
  });
  await configure(cluster, "Mutating", [hook()]);
  for (const response of [
    await cluster.post(configMaps, configMap("a", { k: "v" })),
    await cluster.merge(`${configMaps}/a`, { data: { k: "w" } }),
  ]) {
    expect(response.body.metadata.managedFields[0].fieldsV1).toEqual({ "f:data": { ".": {}, "f:k": {} } });
    expect(response.headers["warning"]).toContain(".metadata.managedFields was in an invalid state after admission");
  }
  await cluster.cluster.close();
});
