import { fileURLToPath } from "node:url";
import { PermissionLog, type TestCluster, testCluster } from "@kubewright/testing";
import { Event } from "kubewright/k8s/events/v1";
import { expect, test } from "vitest";
import { certificateExpiryOperatorWith, type Finding, TlsEndpoint } from "./index.js";

const samples = fileURLToPath(new URL("../samples", import.meta.url));
const dayMs = 86_400_000;

/** A world of one endpoint. Tests change what the next connection finds. */
function endpoint() {
  const world = {
    connections: 0,
    validMs: Number.NaN,
    fingerprint: "AA:01",
    down: undefined as Extract<Finding, { kind: "unreachable" }> | undefined,
    trustError: undefined as string | undefined,
  };
  const operator = certificateExpiryOperatorWith(async () => {
    world.connections += 1;
    if (world.down) return world.down;
    const { validMs: notAfterMs, fingerprint, trustError } = world;
    return { kind: "certificate", notAfterMs, issuer: "CN=Test CA", fingerprint, trustError };
  });
  return { world, operator };
}

async function reasons(cluster: TestCluster): Promise<string[]> {
  const found: string[] = [];
  for await (const { type, reason } of cluster.list(Event)) found.push(`${type} ${reason}`);
  return found.sort();
}

async function start(days: number, spec: { warnDays?: number; periodSeconds?: number } = {}) {
  const { world, operator } = endpoint();
  const permissions = new PermissionLog();
  const sent: string[] = [];
  const cluster = await testCluster(operator, {
    start: false,
    manifests: [samples],
    permissions,
    wrapTransport: (transport) => ({
      ...transport,
      send: (request) => {
        sent.push(`${request.method} ${request.path}`);
        return transport.send(request);
      },
      stream: (request) => transport.stream(request),
      close: () => transport.close(),
    }),
  });
  world.validMs = cluster.clock.now() + days * dayMs;
  await cluster.patch(TlsEndpoint, "shop", { merge: { spec } });
  await cluster.startOperator();
  await cluster.settle();
  return { world, cluster, operator, permissions, sent };
}

test("the expiry and the issuer of a certificate are in the status", async () => {
  const { cluster, world } = await start(90);
  await using _ = cluster;
  const { status } = await cluster.get(TlsEndpoint, "shop");
  expect(Date.parse(status?.notAfter ?? "")).toBe(Math.floor(world.validMs / 1_000) * 1_000);
  expect(status).toMatchObject({ issuer: "CN=Test CA", fingerprint: "AA:01" });
  const conditions = await cluster.conditions(TlsEndpoint, "shop");
  expect(conditions).toMatchObject({
    Reachable: { status: "True", reason: "Connected" },
    Trusted: { status: "True", reason: "Verified" },
    Valid: { status: "True", reason: "Valid" },
  });
  expect(await reasons(cluster)).toEqual([]);
});

test("an endpoint is connected to once per period, and the API server gets no request in between", async () => {
  const { cluster, world, sent } = await start(90);
  await using _ = cluster;
  sent.length = 0;
  await cluster.advance("5h");
  expect(world.connections).toBe(1);
  expect(sent).toEqual([]); // watches aside
  await cluster.advance("25h");
  expect(world.connections).toBe(6);
});

test("a warning is recorded spec.warnDays before the certificate expires, and another when it has expired", async () => {
  const { cluster, world } = await start(2, { warnDays: 1, periodSeconds: 86_400 });
  await using _ = cluster;
  await cluster.advance("23h");
  expect(await reasons(cluster)).toEqual([]);
  await cluster.advance("2h");
  expect((await cluster.conditions(TlsEndpoint, "shop")).Valid?.reason).toBe("ExpiresSoon");
  // Known from the certificate: it holds although the server is gone.
  world.down = { kind: "unreachable", reason: "ConnectionFailed", message: "connect ECONNREFUSED" };
  await cluster.advance("24h");
  expect((await cluster.conditions(TlsEndpoint, "shop")).Valid).toMatchObject({ status: "False", reason: "Expired" });
  expect(await reasons(cluster)).toEqual([
    "Warning CertificateExpired",
    "Warning CertificateExpiresSoon",
    "Warning Unreachable",
  ]);
});

test("a renewed certificate is reported, and the warning is withdrawn", async () => {
  const { cluster, world } = await start(10);
  await using _ = cluster;
  expect((await cluster.conditions(TlsEndpoint, "shop")).Valid?.reason).toBe("ExpiresSoon");
  Object.assign(world, { validMs: cluster.clock.now() + 100 * dayMs, fingerprint: "BB:02" });
  await cluster.advance("6h");
  expect((await cluster.conditions(TlsEndpoint, "shop")).Valid?.reason).toBe("Valid");
  expect(await reasons(cluster)).toEqual(["Normal CertificateRenewed", "Warning CertificateExpiresSoon"]);
});

test("an endpoint that is down is tried after a minute, then ever less often, and keeps what is known of its certificate", async () => {
  const { cluster, world } = await start(90);
  await using _ = cluster;
  world.down = { kind: "unreachable", reason: "TimedOut", message: "No TLS handshake within 10 s" };
  await cluster.advance("6h");
  const tried = world.connections;
  await cluster.advance("8m"); // after 1, 2, 4 and 8 minutes
  expect(world.connections).toBe(tried + 4);
  expect((await cluster.conditions(TlsEndpoint, "shop")).Reachable?.reason).toBe("TimedOut");
  expect((await cluster.get(TlsEndpoint, "shop")).status?.notAfter).toBeDefined();
  world.down = undefined;
  await cluster.advance("8m");
  expect((await cluster.conditions(TlsEndpoint, "shop")).Reachable?.reason).toBe("Connected");
  expect(await reasons(cluster)).toEqual(["Warning Unreachable"]);
});

test("a certificate of an unknown CA is reported with the reason", async () => {
  const { cluster, world } = await start(90);
  await using _ = cluster;
  world.trustError = "DEPTH_ZERO_SELF_SIGNED_CERT";
  await cluster.advance("6h");
  expect((await cluster.conditions(TlsEndpoint, "shop")).Trusted).toMatchObject({
    status: "False",
    reason: "NotVerified",
    message: "DEPTH_ZERO_SELF_SIGNED_CERT",
  });
});

test("a changed host is connected to at once, a restarted operator waits for the end of the period", async () => {
  const { cluster, world } = await start(90);
  await using _ = cluster;
  await cluster.patch(TlsEndpoint, "shop", { merge: { spec: { host: "store.example.com" } } });
  await cluster.settle();
  expect(world.connections).toBe(2);
  await cluster.stopOperator();
  await cluster.startOperator();
  await cluster.settle();
  expect(world.connections).toBe(2);
});

test("the operator uses exactly the permissions of its role", async () => {
  const { cluster, operator, permissions } = await start(10);
  await using _ = cluster;
  permissions.check(operator.rules(), {
    neverUsed: [
      "patch events.events.k8s.io", // for repeats
      "get tlsendpoints.monitoring.example.com", // after a conflict
      "patch tlsendpoints.monitoring.example.com", // for a finalizer, which it does not have
    ],
  });
});
