import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Cluster, startCluster } from "@kubewright/cluster";
import { FakeClock } from "@kubewright/core/clock";
import type { Transport, TransportRequest } from "@kubewright/core/transport";
import { afterAll, beforeAll, expect, test } from "vitest";
import { configMaps, type Loose, startTestCluster, type TestCluster } from "./test-cluster.js";

const rbac = "/apis/rbac.authorization.k8s.io/v1";
const roles = `${rbac}/namespaces/default/roles`;
const bindings = `${rbac}/namespaces/default/rolebindings`;
const clusterRoles = `${rbac}/clusterroles`;
const clusterBindings = `${rbac}/clusterrolebindings`;
const accounts = "/api/v1/namespaces/default/serviceaccounts";
const apiGroup = "rbac.authorization.k8s.io";

let test1: TestCluster;
beforeAll(async () => {
  test1 = await startTestCluster();
});
afterAll(() => test1.cluster.close());

/** Sends a request over a transport; a new user name for each test keeps them independent. */
async function send(
  transport: Transport,
  method: TransportRequest["method"],
  path: string,
  body?: unknown,
): Promise<Loose> {
  const { status, body: received } = await transport.send({ method, path, ...(body !== undefined && { body }) });
  return { status, body: received };
}

const rule = (resource: string, ...verbs: string[]) => ({ apiGroups: [""], resources: [resource], verbs });
const toUser = (name: string) => [{ kind: "User", apiGroup, name }];

/** Grants rules to a user in the namespace default. */
async function grant(user: string, rules: readonly object[], name = user): Promise<void> {
  expect((await test1.post(roles, { metadata: { name }, rules })).status).toBe(201);
  const roleRef = { apiGroup, kind: "Role", name };
  expect((await test1.post(bindings, { metadata: { name }, roleRef, subjects: toUser(user) })).status).toBe(201);
}

test("a user without permissions is forbidden, with the message of kube-apiserver", async () => {
  const { status, body } = await send(test1.cluster.as({ user: "nobody" }), "GET", configMaps);
  expect(status).toBe(403);
  expect(body).toMatchObject({
    reason: "Forbidden",
    message:
      'configmaps is forbidden: User "nobody" cannot list resource "configmaps" in API group "" in the namespace "default"',
  });
});

test("a RoleBinding grants its rules until it is deleted", async () => {
  const transport = test1.cluster.as({ user: "reader" });
  await grant("reader", [rule("configmaps", "list")]);
  expect((await send(transport, "GET", configMaps)).status).toBe(200);
  expect((await send(transport, "GET", "/api/v1/namespaces/kube-system/configmaps")).status).toBe(403);
  expect((await send(transport, "POST", configMaps, { metadata: { name: "a" } })).status).toBe(403);
  await test1.merge(`${roles}/reader`, { rules: [rule("configmaps", "list", "create")] });
  expect((await send(transport, "POST", configMaps, { metadata: { name: "by-reader" } })).status).toBe(201);
  await test1.remove(`${bindings}/reader`);
  expect((await send(transport, "GET", configMaps)).status).toBe(403);
});

test("a binding to a missing role is part of the reason", async () => {
  const roleRef = { apiGroup, kind: "ClusterRole", name: "missing" };
  await test1.post(clusterBindings, { metadata: { name: "dangling" }, roleRef, subjects: toUser("dangling") });
  const { body } = await send(test1.cluster.as({ user: "dangling" }), "GET", configMaps);
  expect(body.message).toMatch(/: RBAC: clusterrole.rbac.authorization.k8s.io "missing" not found$/);
});

test("resourceNames restrict a rule, and a list with a field selector of that name is allowed", async () => {
  await grant("named", [{ ...rule("configmaps", "get", "list", "watch"), resourceNames: ["kube-root-ca.crt"] }]);
  const transport = test1.cluster.as({ user: "named" });
  expect((await send(transport, "GET", `${configMaps}/kube-root-ca.crt`)).status).toBe(404);
  expect((await send(transport, "GET", `${configMaps}/other`)).status).toBe(403);
  expect((await send(transport, "GET", configMaps)).status).toBe(403);
  const query = { fieldSelector: "metadata.name=kube-root-ca.crt" };
  expect((await transport.send({ method: "GET", path: configMaps, query })).status).toBe(200);
});

test("groups are subjects too, and every authenticated user may use discovery", async () => {
  const roleRef = { apiGroup, kind: "ClusterRole", name: "view" };
  await test1.post(clusterBindings, {
    metadata: { name: "viewers" },
    roleRef,
    subjects: [{ kind: "Group", apiGroup, name: "viewers" }],
  });
  const viewer = test1.cluster.as({ user: "vera", groups: ["viewers"] });
  expect((await send(viewer, "GET", "/api/v1/pods")).status).toBe(200);
  expect((await send(viewer, "GET", "/api/v1/secrets")).status).toBe(403);
  expect((await send(viewer, "GET", "/apis")).status).toBe(200);
  expect((await send(viewer, "GET", "/metrics")).body.message).toBe(
    'forbidden: User "vera" cannot get path "/metrics"',
  );
});

test("a ServiceAccount acts with its groups and its uid", async () => {
  const { body: account } = await test1.post(accounts, { metadata: { name: "bot" } });
  const transport = test1.cluster.asServiceAccount("default/bot");
  const { body } = await send(transport, "POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", {});
  expect(body.status.userInfo).toEqual({
    username: "system:serviceaccount:default:bot",
    uid: account.metadata.uid,
    groups: ["system:serviceaccounts", "system:serviceaccounts:default", "system:authenticated"],
  });
  expect(() => test1.cluster.asServiceAccount("default/missing")).toThrow("does not exist");
  expect(() => test1.cluster.asServiceAccount("bot")).toThrow('write "<namespace>/<name>"');
});

test("a user can grant only permissions that it holds, unless it may escalate or bind", async () => {
  const role = (name: string, ...rules: object[]) => ({ metadata: { name }, rules });
  await grant("granter", [
    { ...rule("roles", "create", "update", "patch"), apiGroups: [apiGroup] },
    { ...rule("rolebindings", "create"), apiGroups: [apiGroup] },
    rule("configmaps", "get", "list"),
  ]);
  const transport = test1.cluster.as({ user: "granter", groups: ["g"] });
  expect((await send(transport, "POST", roles, role("held", rule("configmaps", "get")))).status).toBe(201);
  const rejected = await send(
    transport,
    "POST",
    roles,
    role("more", rule("configmaps", "get", "delete"), rule("pods", "get")),
  );
  expect(rejected.status).toBe(403);
  expect(rejected.body.message).toBe(
    [
      'roles.rbac.authorization.k8s.io "more" is forbidden: user "granter" (groups=["g" "system:authenticated"]) is attempting to grant RBAC permissions not currently held:',
      '{APIGroups:[""], Resources:["configmaps"], Verbs:["delete"]}',
      '{APIGroups:[""], Resources:["pods"], Verbs:["get"]}',
    ].join("\n"),
  );
  const binding = (name: string) => ({
    metadata: { name },
    roleRef: { apiGroup, kind: "ClusterRole", name },
    subjects: toUser("x"),
  });
  expect((await send(transport, "POST", bindings, binding("view"))).status).toBe(403);
  expect((await send(transport, "POST", bindings, binding("missing"))).status).toBe(404);
  await grant(
    "granter",
    [{ ...rule("clusterroles", "bind"), apiGroups: [apiGroup], resourceNames: ["view"] }],
    "bind-view",
  );
  expect((await send(transport, "POST", bindings, binding("view"))).status).toBe(201);
  expect((await send(transport, "POST", bindings, binding("admin"))).status).toBe(403);
  await grant("granter", [{ ...rule("roles", "escalate"), apiGroups: [apiGroup] }], "escalate");
  expect((await send(transport, "POST", roles, role("more", rule("pods", "get")))).status).toBe(201);
});

test("an aggregated ClusterRole has the rules of the ClusterRoles that it selects", async () => {
  const labels = { "rbac.authorization.k8s.io/aggregate-to-view": "true" };
  const rules = [{ apiGroups: ["example.com"], resources: ["samples"], verbs: ["get"] }];
  await test1.post(clusterRoles, { metadata: { name: "view-samples", labels }, rules });
  await new Promise((resolve) => setImmediate(resolve));
  for (const name of ["view", "edit", "admin"])
    expect((await test1.get(`${clusterRoles}/${name}`)).body.rules).toContainEqual(rules[0]);
  await test1.remove(`${clusterRoles}/view-samples`);
  await new Promise((resolve) => setImmediate(resolve));
  expect((await test1.get(`${clusterRoles}/admin`)).body.rules).not.toContainEqual(rules[0]);
});

test("a node may read what the Pods on it refer to, and nothing else", async () => {
  const containers = [
    { name: "a", image: "a:1", env: [{ name: "A", valueFrom: { secretKeyRef: { name: "used", key: "a" } } }] },
  ];
  await test1.post("/api/v1/namespaces/default/pods", {
    metadata: { name: "on-node" },
    spec: { nodeName: "n1", containers },
  });
  const node = (name: string): Transport => test1.cluster.as({ user: `system:node:${name}`, groups: ["system:nodes"] });
  const secrets = "/api/v1/namespaces/default/secrets";
  for (const name of ["used", "other"]) await test1.post(secrets, { metadata: { name } });
  expect((await send(node("n1"), "GET", `${secrets}/used`)).status).toBe(200);
  expect((await send(node("n2"), "GET", `${secrets}/used`)).status).toBe(403);
  expect((await send(node("n1"), "GET", `${secrets}/other`)).body.message).toMatch(
    /: no relationship found between node 'n1' and this object$/,
  );
  expect((await send(node("n1"), "GET", "/api/v1/pods")).status).toBe(403);
  const own = await node("n1").send({
    method: "GET",
    path: "/api/v1/pods",
    query: { fieldSelector: "spec.nodeName=n1" },
  });
  expect(own.body).toMatchObject({ items: [{ metadata: { name: "on-node" } }] });
});

async function startListening(): Promise<{
  cluster: Cluster;
  clock: FakeClock;
  whoami(token: string): Promise<Loose>;
}> {
  const clock = new FakeClock();
  const cluster = await startCluster({ clock });
  const tokenReviews = "/apis/authentication.k8s.io/v1/tokenreviews";
  return {
    cluster,
    clock,
    whoami: async (token) => (await send(cluster.transport, "POST", tokenReviews, { spec: { token } })).body.status,
  };
}

test("a requested token authenticates until it expires, or its ServiceAccount or bound object is deleted", async () => {
  const { cluster, clock, whoami } = await startListening();
  await send(cluster.transport, "POST", accounts, { metadata: { name: "bot" } });
  await send(cluster.transport, "POST", "/api/v1/namespaces/default/secrets", { metadata: { name: "s" } });
  const request = async (spec: object): Promise<string> =>
    (await send(cluster.transport, "POST", `${accounts}/bot/token`, { spec })).body.status.token;
  const token = await request({});
  const bound = await request({ boundObjectRef: { kind: "Secret", apiVersion: "v1", name: "s" } });
  const short = await request({ expirationSeconds: 600 });
  expect(await whoami(token)).toMatchObject({
    authenticated: true,
    user: { username: "system:serviceaccount:default:bot" },
    audiences: ["https://kubernetes.default.svc.cluster.local"],
  });
  expect((await whoami(await request({ audiences: ["vault"] }))).error).toMatch(
    /token audiences \["vault"\] is invalid/,
  );
  expect((await whoami(`${token.slice(0, -6)}AAAAAA`)).authenticated).toBeUndefined();
  await send(cluster.transport, "DELETE", "/api/v1/namespaces/default/secrets/s");
  expect((await whoami(bound)).error).toBe("service account token has been invalidated");
  clock.advance(600_000 + 61_000);
  expect((await whoami(short)).error).toBe("service account token has expired");
  expect((await whoami(token)).authenticated).toBe(true);
  await send(cluster.transport, "DELETE", `${accounts}/bot`);
  expect((await whoami(token)).error).toBe('serviceaccounts "bot" not found');
  await cluster.close();
});

test("a restart restores the bootstrap policy, keeps what users added, and respects autoupdate", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "kubewright-access-"));
  try {
    const first = await startCluster({ dataDir });
    const patch = (path: string, body: unknown) =>
      first.transport.send({
        method: "PATCH",
        path,
        body,
        headers: { "content-type": "application/merge-patch+json" },
      });
    const own = { apiGroups: [""], resources: ["pods"], verbs: ["get"] };
    await patch(`${clusterRoles}/system:discovery`, { rules: [own] });
    await patch(`${clusterRoles}/system:basic-user`, {
      rules: [],
      metadata: { annotations: { "rbac.authorization.kubernetes.io/autoupdate": "false" } },
    });
    await first.transport.send({ method: "DELETE", path: `${clusterBindings}/system:discovery` });
    await first.close();
    const second = await startCluster({ dataDir });
    const read = async (path: string): Promise<Loose> => (await second.transport.send({ method: "GET", path })).body;
    const { rules } = await read(`${clusterRoles}/system:discovery`);
    expect(rules[0]).toEqual(own);
    expect(rules).toContainEqual({ nonResourceURLs: ["/apis"], verbs: ["get"] });
    expect((await read(`${clusterRoles}/system:basic-user`)).rules ?? []).toEqual([]);
    expect((await read(`${clusterBindings}/system:discovery`)).roleRef.name).toBe("system:discovery");
    expect((await read(`${clusterRoles}/admin`)).rules.length).toBeGreaterThan(5);
    await second.close();
  } finally {
    rmSync(dataDir, { recursive: true });
  }
});

test("the token of a Secret authenticates until the Secret is deleted", async () => {
  const clock = new FakeClock();
  const cluster = await startCluster({ clock, workloads: true });
  const secrets = "/api/v1/namespaces/default/secrets";
  await send(cluster.transport, "POST", accounts, { metadata: { name: "bot" } });
  const annotations = { "kubernetes.io/service-account.name": "bot" };
  const type = "kubernetes.io/service-account-token";
  await send(cluster.transport, "POST", secrets, { metadata: { name: "t", annotations }, type });
  for (let turn = 0; turn < 100 || !cluster.idle; turn++) await new Promise((resolve) => setImmediate(resolve));
  const { data } = (await send(cluster.transport, "GET", `${secrets}/t`)).body;
  const spec = { token: Buffer.from(data.token, "base64").toString() };
  const review = async (): Promise<Loose> =>
    (await send(cluster.transport, "POST", "/apis/authentication.k8s.io/v1/tokenreviews", { spec })).body.status;
  expect(await review()).toMatchObject({
    authenticated: true,
    user: { username: "system:serviceaccount:default:bot" },
  });
  await send(cluster.transport, "DELETE", `${secrets}/t`);
  expect((await review()).error).toBe("service account token has been invalidated");
  await cluster.close();
});

test("controllers, scheduler and nodes act as their users", async () => {
  const users = new Map<string, Set<string>>();
  const audit = {
    observe: (_stage: string, { user, method, path }: { user: { name: string }; method: string; path: string }) => {
      if (method === "GET" || user.name === "admin") return;
      const what = `${method} ${path
        .split("/")
        .filter((part) => ["replicasets", "pods", "status", "binding", "nodes", "leases"].includes(part))
        .join(" ")}`;
      users.set(user.name, (users.get(user.name) ?? new Set()).add(what));
    },
  };
  const cluster = await startCluster({ clock: new FakeClock(), workloads: true, audit });
  const template = { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i:1" }] } };
  const spec = { replicas: 1, selector: { matchLabels: { a: "b" } }, template };
  await send(cluster.transport, "POST", "/apis/apps/v1/namespaces/default/deployments", {
    metadata: { name: "web" },
    spec,
  });
  for (let turn = 0; turn < 300 || !cluster.idle; turn++) await new Promise((resolve) => setImmediate(resolve));
  const account = (name: string): string => `system:serviceaccount:kube-system:${name}`;
  expect([...(users.get(account("deployment-controller")) ?? [])].join()).toContain("replicasets");
  expect([...(users.get(account("replicaset-controller")) ?? [])].join()).toContain("pods");
  expect([...(users.get("system:kube-scheduler") ?? [])].join()).toContain("pods binding");
  expect([...(users.get("system:node:node-1") ?? [])].join()).toContain("pods status");
  expect([...users.keys()].filter((name) => !name.startsWith("system:"))).toEqual([]);
  await cluster.close();
});
