import { X509Certificate } from "node:crypto";
import { connect } from "node:tls";
import { type Cluster, startCluster } from "@kubewright/cluster";
import { FakeClock } from "@kubewright/core/clock";
import { OperatorError } from "@kubewright/core/errors";
import type { Logger } from "@kubewright/core/log";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Client, createClient } from "../../client/index.js";
import {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from "../../k8s/admissionregistration/v1.gen.js";
import { CustomResourceDefinition } from "../../k8s/apiextensions/v1.gen.js";
import { Secret } from "../../k8s/core/v1.gen.js";
import { Event } from "../../k8s/events/v1.gen.js";
import { createMetrics } from "../../metrics/index.js";
import { serveWebhooks } from "../serve-webhooks.js";
import { type ManageCertificatesOptions, type ManagedCertificates, manageCertificates } from "./index.js";
import { issueCertificate } from "./issue-certificate.js";
import { encodeState } from "./secret-data.js";

const hour = 3_600_000;
let clock: FakeClock;
let cluster: Cluster;
let client: Client;
let stop: AbortController;
let replicas: ManagedCertificates[];
let writes: string[];
let warnings: object[];
const logger: Logger = {
  debug: () => {},
  info: () => {},
  warn: (fields, message) => void warnings.push({ ...fields, message }),
  error: (fields, message) => void warnings.push({ ...fields, message }),
  child: () => logger,
};

beforeEach(async () => {
  clock = new FakeClock();
  // Without a converter of its own the embedded cluster rejects a CRD with a conversion webhook that it cannot call.
  cluster = await startCluster({ clock, converters: new Map([["foos.foo.dev", (object) => object]]) });
  const { transport } = cluster;
  writes = [];
  warnings = [];
  client = createClient({
    send: (request) => {
      if (request.method !== "GET") writes.push(`${request.method} ${request.path}`);
      return transport.send(request);
    },
    stream: (request) => transport.stream(request),
    close: () => transport.close(),
  });
  stop = new AbortController();
  replicas = [];
});
afterEach(async () => {
  stop.abort();
  await Promise.all(replicas.map(({ stopped }) => stopped));
  await cluster.close();
});

const start = (options: Partial<ManageCertificatesOptions> = {}): ManagedCertificates => {
  const replica = manageCertificates({
    client,
    name: "foo",
    namespace: "default",
    secretName: "foo-webhooks",
    serviceName: "foo",
    validating: ["foo"],
    clock,
    signal: stop.signal,
    random: () => 0.5,
    logger,
    ...options,
  });
  replicas.push(replica);
  return replica;
};

/** Until every replica waits for a change or a timer. */
async function settle(): Promise<void> {
  for (let quiet = 0; quiet < 3; ) {
    await new Promise(setImmediate);
    quiet = cluster.idle && replicas.every(({ idle }) => idle) ? quiet + 1 : 0;
  }
}

async function advance(ms: number): Promise<void> {
  const endMs = clock.now() + ms;
  await settle();
  for (let left = endMs - clock.now(); left > 0; left = endMs - clock.now()) {
    clock.advance(Math.min(left, clock.nextTimerInMs ?? left));
    await settle();
  }
}

const clientConfig = { service: { namespace: "default", name: "foo", path: "/validate" } };
const webhook = (name: string) => ({
  name,
  clientConfig,
  sideEffects: "None" as const,
  admissionReviewVersions: ["v1"],
});
const validating = { metadata: { name: "foo" }, webhooks: [webhook("a.foo.dev"), webhook("b.foo.dev")] };
const bundlesOf = async (): Promise<string[]> => {
  const { webhooks = [] } = await client.get(ValidatingWebhookConfiguration, "foo");
  return webhooks.map(({ clientConfig: { caBundle = "" } }) => Buffer.from(caBundle, "base64").toString());
};
const authoritiesOf = (bundle: string): X509Certificate[] =>
  bundle.split(/(?<=-----END CERTIFICATE-----\n)/).map((pem) => new X509Certificate(pem));
/** Whether a CA of each bundle verifies what the replica serves. */
const isTrusted = async ({ certificate }: ManagedCertificates): Promise<boolean> => {
  const leaf = new X509Certificate(certificate?.certificate ?? "");
  return (await bundlesOf()).every((bundle) => authoritiesOf(bundle).some((ca) => leaf.verify(ca.publicKey)));
};

test("three replicas that start together agree on one certificate, and publish its CA in every webhook configuration and CRD", async () => {
  await client.create(ValidatingWebhookConfiguration, validating);
  await client.create(MutatingWebhookConfiguration, { metadata: { name: "foo" }, webhooks: [webhook("a.foo.dev")] });
  await client.create(CustomResourceDefinition, {
    metadata: { name: "foos.foo.dev" },
    spec: {
      group: "foo.dev",
      scope: "Namespaced",
      names: { kind: "Foo", plural: "foos" },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
      conversion: { strategy: "Webhook", webhook: { clientConfig, conversionReviewVersions: ["v1"] } },
    },
  });
  const options = { mutating: ["foo", "missing"], crds: ["foos.foo.dev"] };
  const started = [start(options), start(options), start(options)];
  await Promise.all(started.map(({ ready }) => ready));
  await settle();
  const served = new Set(started.map(({ certificate }) => certificate?.certificate));
  expect(served.size).toBe(1);
  const leaf = new X509Certificate([...served][0] ?? "");
  expect(leaf.checkHost("foo.default.svc")).toBe("foo.default.svc");
  const [bundle, ...others] = await bundlesOf();
  expect(others).toEqual([bundle]);
  expect(authoritiesOf(bundle ?? "")).toHaveLength(1);
  expect(leaf.verify(new X509Certificate(bundle ?? "").publicKey)).toBe(true);
  const caBundle = Buffer.from(bundle ?? "").toString("base64");
  expect((await client.get(MutatingWebhookConfiguration, "foo")).webhooks?.[0]?.clientConfig.caBundle).toBe(caBundle);
  expect(
    (await client.get(CustomResourceDefinition, "foos.foo.dev")).spec.conversion?.webhook?.clientConfig,
  ).toMatchObject({ ...clientConfig, caBundle });
  expect(warnings).toEqual([]);
  const { type, data } = await client.get(Secret, "foo-webhooks");
  expect(type).toBe("kubernetes.io/tls");
  expect(Object.keys(data ?? {})).not.toContain("ca.key");

  writes = [];
  const late = start(options);
  await late.ready;
  await advance(24 * hour);
  expect(late.certificate?.certificate).toBe([...served][0]);
  expect(writes).toEqual([]);
});

test("a certificate is rotated with overlap before it expires, and its CA leaves the bundle after it expired", async () => {
  await client.create(ValidatingWebhookConfiguration, validating);
  const metrics = await createMetrics();
  const one = start({ metrics });
  const two = start();
  const { certificate: before } = await one.load();
  let changes = 0;
  const watching = one.watch(() => {
    changes += 1;
  });
  await settle();
  const firstExpiry = clock.now() + 2160 * hour;
  expect(one.expiresMs).toBe(firstExpiry);
  const expiry =
    /^kubewright_webhook_certificate_expiration_timestamp_seconds\{secret="default\/foo-webhooks"\} (\d+)/m.exec(
      await metrics.text(),
    );
  expect(Number(expiry?.[1]) * 1_000).toBe(firstExpiry);
  metrics.close();

  await advance(1440 * hour);
  expect(authoritiesOf((await bundlesOf())[0] ?? "")).toHaveLength(2);
  expect([one.certificate?.certificate, two.certificate?.certificate]).toEqual([before, before]);
  await advance(29_999);
  expect(one.certificate?.certificate).toBe(before);
  await advance(1);
  expect(one.certificate?.certificate).not.toBe(before);
  expect(two.certificate?.certificate).toBe(one.certificate?.certificate);
  expect(changes).toBe(1);
  watching[Symbol.dispose]();
  expect(await isTrusted(one)).toBe(true);

  await advance(720 * hour);
  expect(clock.now()).toBe(firstExpiry + 30_000);
  expect(authoritiesOf((await bundlesOf())[0] ?? "")).toHaveLength(2);
  await advance(hour);
  expect(authoritiesOf((await bundlesOf())[0] ?? "")).toHaveLength(1);
  expect(await isTrusted(two)).toBe(true);
  expect(warnings).toEqual([]);
});

test("a webhook server waits for the certificate, and serves its successor to new connections", async () => {
  const replica = start();
  await using server = await serveWebhooks({ address: "127.0.0.1:0", certificate: replica });
  // The virtual time of the certificates is not that of TLS.
  const served = (): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect({ port: server.port, host: "127.0.0.1", rejectUnauthorized: false }, () => {
        resolve(socket.getPeerX509Certificate()?.toString() ?? "");
        socket.destroy();
      });
      socket.on("error", reject);
    });
  const before = replica.certificate?.certificate;
  expect(await served()).toBe(before);
  await advance(1441 * hour);
  expect(replica.certificate?.certificate).not.toBe(before);
  expect(await served()).toBe(replica.certificate?.certificate);
});

test("an expired certificate found at start is replaced before readiness", async () => {
  await client.create(ValidatingWebhookConfiguration, validating);
  const { certificate, authority } = issueCertificate({
    commonName: "foo-webhooks",
    names: ["foo.default", "foo.default.svc", "foo.default.svc.cluster.local"],
    notBeforeMs: clock.now() - 100 * hour,
    notAfterMs: clock.now() - 10 * hour,
  });
  const data = encodeState({ current: certificate, authorities: [authority] });
  await client.create(Secret, { metadata: { name: "foo-webhooks" }, type: "kubernetes.io/tls", data });
  const replica = start();
  await replica.ready;
  expect(replica.certificate?.certificate).not.toBe(certificate.certificate);
  expect(replica.expiresMs).toBeGreaterThan(clock.now());
  expect(await isTrusted(replica)).toBe(true);
});

test.each([
  ["deleted", undefined],
  ["emptied", { data: { "tls.crt": "", "tls.key": "", "ca.crt": null } }],
  ["filled with garbage", { data: { "tls.crt": "Z2FyYmFnZQ==", "ca.crt": "Z2FyYmFnZQ==" } }],
])(
  "a Secret that is %s is repaired without a moment at which a served certificate is not trusted",
  async (_, merge) => {
    await client.create(ValidatingWebhookConfiguration, validating);
    const replica = start();
    await replica.ready;
    await settle();
    const before = replica.certificate?.certificate;
    if (merge === undefined) await client.delete(Secret, "foo-webhooks");
    else await client.patch(Secret, "foo-webhooks", { merge });
    await settle();
    expect(replica.certificate?.certificate).toBe(before);
    expect(await isTrusted(replica)).toBe(true);
    await advance(30_000);
    expect(replica.certificate?.certificate).not.toBe(before);
    expect(await isTrusted(replica)).toBe(true);
    if (merge === undefined) return expect(warnings).toEqual([]);
    expect(warnings).toEqual([expect.objectContaining({ message: "Replaced an invalid webhook certificate" })]);
    const { items } = await client.listPage(Event, { namespace: "default" });
    expect(items).toEqual([
      expect.objectContaining({
        reason: "InvalidCertificate",
        note: expect.stringMatching(/^the Secret is invalid: ca.crt/),
        regarding: expect.objectContaining({ kind: "Secret", name: "foo-webhooks", uid: expect.any(String) }),
      }),
    ]);
  },
);

test("a caBundle that another client removes, and a configuration that is created later, get the bundle", async () => {
  const replica = start();
  await replica.ready;
  await client.create(ValidatingWebhookConfiguration, validating);
  await settle();
  expect(await isTrusted(replica)).toBe(true);
  await client.patch(ValidatingWebhookConfiguration, "foo", { merge: { webhooks: validating.webhooks } });
  expect(await bundlesOf()).toEqual(["", ""]);
  await settle();
  expect(await isTrusted(replica)).toBe(true);
});

test("a certificate without a name of a new replica is replaced, once, although an old replica still runs", async () => {
  await client.create(ValidatingWebhookConfiguration, validating);
  const old = start();
  await old.ready;
  const renamed = start({ serviceName: "bar", hosts: ["::1"] });
  await advance(60_000);
  const leaf = new X509Certificate(renamed.certificate?.certificate ?? "");
  expect(leaf.checkHost("foo.default.svc")).toBe("foo.default.svc");
  expect(leaf.checkHost("bar.default.svc")).toBe("bar.default.svc");
  writes = [];
  await advance(24 * hour);
  expect(writes).toEqual([]);
});

test("a Secret of cert-manager is not touched, and readiness fails with a clear error", async () => {
  const annotations = { "cert-manager.io/certificate-name": "foo" };
  await client.create(Secret, { metadata: { name: "foo-webhooks", annotations } });
  writes = [];
  await expect(start().ready).rejects.toThrow(
    'Cannot manage the webhook certificate in Secret "default/foo-webhooks": cert-manager writes it for Certificate "foo"',
  );
  expect(writes).toEqual([]);
});

test("failed requests are logged and retried", async () => {
  let isDown = true;
  const { transport } = cluster;
  const unlessDown = <T>(send: () => Promise<T>): Promise<T> =>
    isDown ? Promise.reject(new OperatorError("TRANSPORT_FAILED", "connection refused")) : send();
  const unreliable = createClient({
    send: (request) => unlessDown(() => transport.send(request)),
    stream: (request) => unlessDown(() => transport.stream(request)),
    close: () => transport.close(),
  });
  const replica = start({ client: unreliable });
  for (let tick = 0; tick < 20; tick++) await new Promise(setImmediate);
  expect(warnings).toContainEqual(
    expect.objectContaining({ message: "Cannot manage the webhook certificate, will retry" }),
  );
  isDown = false;
  await advance(5_000);
  await replica.ready;
});

test("options that contradict each other are rejected", () => {
  expect(() => start({ lifetime: "2h" })).toThrow("`renewBefore` must be longer than `propagation` and `clockSkew`");
  expect(() => start({ lifetime: "10h", renewBefore: "9h" })).toThrow("`lifetime` must be longer than");
  expect(() => start({ serviceName: undefined as never })).toThrow("set `serviceName` or `hosts`");
});
