import { defineKind } from "kubewright";
import { expect, test } from "vitest";
import { PermissionLog } from "./index.js";

const logOf = (
  ...requests: readonly (readonly ["GET" | "POST" | "PUT" | "PATCH" | "DELETE", string, boolean?])[]
): PermissionLog => {
  const log = new PermissionLog();
  for (const [method, path, isWatch = false] of requests)
    log.add({ method, path, ...(isWatch && { query: { watch: "true" } }) }, 200);
  return log;
};

test.each([
  ["GET", "/api/v1/namespaces/a/pods/b", "get pods"],
  ["GET", "/api/v1/pods", "list pods"],
  ["GET", "/apis/apps/v1/namespaces/a/deployments", "list deployments.apps"],
  ["POST", "/api/v1/namespaces/a/pods/b/eviction", "create pods/eviction"],
  ["PUT", "/apis/apps/v1/namespaces/a/deployments/b/scale", "update deployments/scale.apps"],
  ["PATCH", "/apis/example.com/v1/pools/b/status", "patch pools/status.example.com"],
  ["DELETE", "/api/v1/namespaces/a", "delete namespaces"],
  ["GET", "/api/v1/namespaces", "list namespaces"],
  ["PATCH", "/api/v1/namespaces/a/status", "patch namespaces/status"],
  ["DELETE", "/api/v1/namespaces/a/secrets", "deletecollection secrets"],
] as const)("%s %s needs %s", (method, path, permission) => {
  expect(logOf([method, path]).used).toEqual([permission]);
});

test("a watch needs watch, one with sendInitialEvents also list, and discovery needs no permission", () => {
  expect(logOf(["GET", "/api/v1/pods", true], ["GET", "/apis"], ["GET", "/api/v1"], ["GET", "/version"]).used).toEqual([
    "watch pods",
  ]);
  const streamed = new PermissionLog();
  streamed.add({ method: "GET", path: "/api/v1/pods", query: { watch: "true", sendInitialEvents: "true" } }, 200);
  expect(streamed.used).toEqual(["list pods", "watch pods"]);
});

test("an apply that creates needs create and patch, and blockOwnerDeletion needs update of the owner's finalizers", () => {
  const kind = defineKind({ group: "example.com", version: "v1", kind: "Pool", plural: "pools", scope: "Namespaced" });
  const applied = new PermissionLog();
  const owner = { apiVersion: "example.com/v1", kind: "Pool", name: "a", uid: "u", blockOwnerDeletion: true };
  const body = { metadata: { ownerReferences: [owner] } };
  applied.add({ method: "PATCH", path: "/api/v1/namespaces/a/pods/b", body }, 201, [kind]);
  expect(applied.used).toEqual(["create pods", "patch pods", "update pools/finalizers.example.com"]);
});

test("undeclared and unused permissions are reported", () => {
  const used = logOf(["GET", "/api/v1/pods"], ["DELETE", "/api/v1/namespaces/a/pods/b"]);
  const rules = [{ apiGroups: [""], resources: ["pods"], verbs: ["list", "watch"] }];
  expect(used.compare(rules)).toEqual({ undeclared: ["delete pods"], unused: ["watch pods"] });
  expect(() => used.check(rules)).toThrow(
    "Cannot confirm the permissions: used but not declared: delete pods; declared but never used: watch pods",
  );
  const whole = [{ apiGroups: [""], resources: ["pods"], verbs: ["list", "delete", "watch"] }];
  used.check(whole, { neverUsed: ["watch pods"] });
  expect(() => used.check(whole, { neverUsed: ["watch pods", "list pods"] })).toThrow("listed in neverUsed: list pods");
});

test("a written binding or role uses bind or escalate if it is declared, and needs neither", () => {
  const log = new PermissionLog();
  const path = "/apis/rbac.authorization.k8s.io/v1";
  const bound = { roleRef: { kind: "ClusterRole", name: "view" }, subjects: [] };
  log.add({ method: "PATCH", path: `${path}/namespaces/a/rolebindings/b`, body: bound }, 200);
  log.add({ method: "POST", path: `${path}/namespaces/a/roles`, body: { rules: [] } }, 201);
  const declare = (...rules: (readonly [resource: string, verb: string])[]) =>
    rules.map(([resource, verb]) => ({
      apiGroups: ["rbac.authorization.k8s.io"],
      resources: [resource],
      verbs: [verb],
    }));
  const needed = declare(["rolebindings", "patch"], ["roles", "create"]);
  log.check(needed);
  log.check([...needed, ...declare(["clusterroles", "bind"], ["roles", "escalate"])]);
  expect(() => log.check([...needed, ...declare(["roles", "bind"])])).toThrow("never used: bind roles");
});
