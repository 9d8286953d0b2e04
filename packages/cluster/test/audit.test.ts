import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AuditEvent, type AuditPolicy, startCluster } from "@kubewright/cluster";
import { FakeClock } from "@kubewright/core/clock";
import { expect, onTestFinished, test } from "vitest";

const configMaps = "/api/v1/namespaces/default/configmaps";
const policy = (...rules: AuditPolicy["rules"]): AuditPolicy => ({
  apiVersion: "audit.k8s.io/v1",
  kind: "Policy",
  rules,
});

test("a write is one event with its user, object, bodies, response and latency", async () => {
  const clock = new FakeClock();
  await using cluster = await startCluster({ clock });
  const events: AuditEvent[] = [];
  const stop = cluster.onAuditEvent((event) => events.push(event));
  const body = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data: { k: "1" } };
  await cluster.transport.send({ method: "POST", path: configMaps, query: { fieldManager: "me" }, body });
  stop();
  await cluster.transport.send({ method: "GET", path: `${configMaps}/a` });
  expect(events).toEqual([
    {
      kind: "Event",
      apiVersion: "audit.k8s.io/v1",
      level: "RequestResponse",
      auditID: expect.stringMatching(/^[0-9a-f-]{36}$/),
      stage: "ResponseComplete",
      requestURI: `${configMaps}?fieldManager=me`,
      verb: "create",
      user: { username: "admin", groups: ["system:masters", "system:authenticated"] },
      objectRef: { resource: "configmaps", namespace: "default", name: "a", apiVersion: "v1" },
      responseStatus: { metadata: {}, code: 201 },
      requestObject: body,
      responseObject: expect.objectContaining({ kind: "ConfigMap", data: { k: "1" } }),
      requestReceivedTimestamp: "2030-01-01T00:00:00.000000Z",
      stageTimestamp: "2030-01-01T00:00:00.000000Z",
      annotations: { "authorization.k8s.io/decision": "allow", "authorization.k8s.io/reason": "" },
    },
  ]);
});

test("a rejected request has the status of its rejection, and the impersonated user", async () => {
  await using cluster = await startCluster();
  const events: AuditEvent[] = [];
  cluster.onAuditEvent((event) => events.push(event));
  const headers = { "impersonate-user": "jane", "impersonate-group": "developers" };
  await cluster.transport.send({ method: "DELETE", path: `${configMaps}/none`, headers });
  await cluster.transport.send({ method: "GET", path: `${configMaps}/none` });
  expect(events).toMatchObject([
    {
      verb: "delete",
      user: { username: "admin" },
      impersonatedUser: { username: "jane", groups: ["developers", "system:authenticated"] },
      responseStatus: { status: "Failure", reason: "Forbidden", code: 403 },
      annotations: { "authorization.k8s.io/decision": "forbid" },
    },
    { verb: "get", responseStatus: { status: "Failure", reason: "NotFound", code: 404 } },
  ]);
});

test("annotations of admission plugins are part of the event", async () => {
  await using cluster = await startCluster();
  const labels = { "pod-security.kubernetes.io/audit": "restricted" };
  await cluster.transport.send({
    method: "POST",
    path: "/api/v1/namespaces",
    body: { metadata: { name: "n", labels } },
  });
  const events: AuditEvent[] = [];
  cluster.onAuditEvent((event) => events.push(event));
  const spec = { containers: [{ name: "main", image: "a:1" }] };
  await cluster.transport.send({
    method: "POST",
    path: "/api/v1/namespaces/n/pods",
    body: { metadata: { name: "p" }, spec },
  });
  expect(events[0]?.annotations).toMatchObject({
    "pod-security.kubernetes.io/enforce-policy": "privileged:latest",
    "pod-security.kubernetes.io/audit-violations": expect.stringContaining(
      'would violate PodSecurity "restricted:latest"',
    ),
  });
});

test("a watch has an event when it starts and one when it ends", async () => {
  await using cluster = await startCluster();
  const stages: string[] = [];
  cluster.onAuditEvent(({ verb, stage }) => void stages.push(`${verb} ${stage}`));
  const stream = await cluster.transport.stream({ method: "GET", path: configMaps, query: { watch: "true" } });
  if (stream.kind !== "stream") throw new Error("A watch must be a stream");
  expect(stages).toEqual(["watch ResponseStarted"]);
  await stream.items[Symbol.asyncIterator]().return?.();
  expect(stages).toEqual(["watch ResponseStarted", "watch ResponseComplete"]);
});

test("the first rule that selects a request sets its level and stages", async () => {
  const auditPolicy = policy(
    { level: "None", verbs: ["list"], resources: [{ group: "", resources: ["configmaps"] }] },
    { level: "None", nonResourceURLs: ["/healthz*"] },
    { level: "Request", resources: [{ group: "", resources: ["secrets"], resourceNames: ["a"] }] },
    { level: "RequestResponse", users: ["admin"], namespaces: ["kube-system"], omitStages: ["RequestReceived"] },
    { level: "None", userGroups: ["nobody"] },
    { level: "Metadata", resources: [{ group: "apps" }, { group: "", resources: ["*/status", "pods/*"] }] },
  );
  await using cluster = await startCluster({ auditPolicy });
  const seen: string[] = [];
  cluster.onAuditEvent(({ requestURI, level, stage, requestObject, responseObject }) => {
    const objects = `${requestObject === undefined ? "" : " request"}${responseObject === undefined ? "" : " response"}`;
    seen.push(`${requestURI} ${level} ${stage}${objects}`);
  });
  const send = (method: "GET" | "PUT", path: string, body?: unknown) =>
    cluster.transport.send({ method, path, ...(body === undefined ? {} : { body }) });
  await send("GET", configMaps);
  await send("GET", "/healthz/ping");
  await send("PUT", "/api/v1/namespaces/default/secrets/a", { metadata: { name: "a" } });
  await send("GET", "/api/v1/namespaces/default/secrets/b");
  await send("GET", "/api/v1/namespaces/kube-system/secrets/c");
  await send("GET", "/apis/apps/v1/namespaces/default/deployments/a");
  await send("GET", "/api/v1/namespaces/default/pods/a/status");
  await send("GET", "/api/v1/namespaces/default/pods/a");
  expect(seen).toEqual([
    "/api/v1/namespaces/default/secrets/a Request RequestReceived",
    "/api/v1/namespaces/default/secrets/a Request ResponseComplete request",
    "/api/v1/namespaces/kube-system/secrets/c RequestResponse ResponseComplete response",
    "/apis/apps/v1/namespaces/default/deployments/a Metadata RequestReceived",
    "/apis/apps/v1/namespaces/default/deployments/a Metadata ResponseComplete",
    "/api/v1/namespaces/default/pods/a/status Metadata RequestReceived",
    "/api/v1/namespaces/default/pods/a/status Metadata ResponseComplete",
  ]);
});

test("the audit log appends one line of JSON for each event, and managedFields can be omitted", async () => {
  const folder = mkdtempSync(join(tmpdir(), "kubewright-audit-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const auditLogPath = join(folder, "audit.log");
  const auditPolicy = { ...policy({ level: "RequestResponse", verbs: ["create"] }), omitManagedFields: true };
  for (const name of ["a", "b"]) {
    await using cluster = await startCluster({ auditLogPath, auditPolicy });
    await cluster.transport.send({ method: "POST", path: configMaps, body: { metadata: { name } } });
  }
  const lines = readFileSync(auditLogPath, "utf8").trimEnd().split("\n");
  const events = lines.map((line) => JSON.parse(line) as AuditEvent);
  expect(events.map(({ stage, objectRef }) => `${stage} ${objectRef?.name}`)).toEqual([
    "RequestReceived a",
    "ResponseComplete a",
    "RequestReceived b",
    "ResponseComplete b",
  ]);
  expect(events[1]?.responseObject).not.toHaveProperty("metadata.managedFields");
});

test.each([
  [{ kind: "Pod" }, "it is a Pod of undefined, not a Policy of audit.k8s.io/v1"],
  [{ kind: "Policy", apiVersion: "audit.k8s.io/v1", rules: [] }, "rules must be a list of at least one rule"],
  [policy({ level: "All" as "None" }), "rules[0].level must be one of None, Metadata, Request, RequestResponse"],
  [policy({ level: "None", omitStages: ["Never" as "ResponseStarted"] }), "rules[0].omitStages must be a list of"],
  [policy({ level: "None", resources: [{ resourceNames: ["a"] }] }), "resourceNames need resources"],
  [policy({ level: "None", namespaces: ["a"], nonResourceURLs: ["*"] }), "cannot select both"],
])("an audit policy that is not valid is an error: %j", async (auditPolicy, why) => {
  const start = startCluster({ auditPolicy: auditPolicy as AuditPolicy });
  await expect(start).rejects.toMatchObject({ code: "CONFIG_INVALID", message: expect.stringContaining(why) });
});

test("an audit log that cannot be written is an error", async () => {
  await expect(startCluster({ auditLogPath: "/nowhere/audit.log" })).rejects.toThrow(
    'Cannot write the audit log "/nowhere/audit.log"',
  );
});
