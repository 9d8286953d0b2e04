import { expect, test } from "vitest";
import { z } from "zod";
import { defineKind, defineResource } from "../definition/index.js";
import { deriveLeaseRules, deriveRules } from "./index.js";

const Foo = defineResource({
  group: "example.com",
  kind: "Foo",
  versions: { v1: { spec: z.object({}), status: z.object({}) } },
});
const Plain = defineResource({ group: "example.com", kind: "Plain", versions: { v1: { spec: z.object({}) } } });
const Deployment = defineKind({
  group: "apps",
  version: "v1",
  kind: "Deployment",
  plural: "deployments",
  scope: "Namespaced",
});
const Secret = defineKind({ group: "", version: "v1", kind: "Secret", plural: "secrets", scope: "Namespaced" });

test("an operator gets exactly the rules that its controllers declare", () => {
  const rules = deriveRules([
    { kind: Foo, owns: [Deployment], uses: [{ kind: Secret, verbs: ["get"] }], watches: [] },
    { kind: Plain, owns: [], uses: [], watches: [{ kind: Secret }] },
  ]);
  expect(rules).toEqual([
    { apiGroups: [""], resources: ["secrets"], verbs: ["get", "list", "watch"] },
    { apiGroups: ["apps"], resources: ["deployments"], verbs: ["create", "delete", "get", "list", "patch", "watch"] },
    { apiGroups: ["events.k8s.io"], resources: ["events"], verbs: ["create", "patch"] },
    { apiGroups: ["example.com"], resources: ["foos", "plains"], verbs: ["get", "list", "patch", "watch"] },
    { apiGroups: ["example.com"], resources: ["foos/finalizers"], verbs: ["update"] },
    { apiGroups: ["example.com"], resources: ["foos/status"], verbs: ["patch"] },
  ]);
});

test("only an operator that installs CRDs gets rules for CRDs", () => {
  const access = { kind: Plain, owns: [], uses: [], watches: [] };
  const groups = (installCRDs: boolean): string[] =>
    deriveRules([access], { installCRDs }).flatMap(({ apiGroups }) => apiGroups);
  expect(groups(false)).not.toContain("apiextensions.k8s.io");
  expect(groups(true)).toContain("apiextensions.k8s.io");
});

test("only an operator with leader election gets rules for Leases, also available as a separate Role", () => {
  const access = { kind: Plain, owns: [], uses: [], watches: [] };
  const lease = { apiGroups: ["coordination.k8s.io"], resources: ["leases"], verbs: ["create", "get", "update"] };
  expect(deriveRules([access])).not.toContainEqual(lease);
  expect(deriveRules([access], { leaderElection: true })).toContainEqual(lease);
  expect(deriveLeaseRules()).toEqual([lease]);
});

test("an operator that installs CRDs may get, create, patch and watch them", () => {
  expect(deriveRules([], { installCRDs: true })).toContainEqual({
    apiGroups: ["apiextensions.k8s.io"],
    resources: ["customresourcedefinitions"],
    verbs: ["create", "get", "patch", "watch"],
  });
});

test("secureMetrics and waitForKinds add their rules", () => {
  const before = JSON.stringify(deriveRules([]));
  expect(before).toBe("[]");
  expect(deriveRules([], { secureMetrics: true, waitForKinds: true })).toEqual([
    { apiGroups: ["apiextensions.k8s.io"], resources: ["customresourcedefinitions"], verbs: ["get", "list", "watch"] },
    { apiGroups: ["authentication.k8s.io"], resources: ["tokenreviews"], verbs: ["create"] },
    { apiGroups: ["authorization.k8s.io"], resources: ["subjectaccessreviews"], verbs: ["create"] },
  ]);
});

test("rules of several features are merged and sorted", () => {
  const rules = deriveRules([{ kind: Plain, owns: [], uses: [], watches: [] }], {
    installCRDs: true,
    migrateStored: true,
    secureMetrics: true,
  });
  const of = (group: string) => rules.filter(({ apiGroups }) => apiGroups[0] === group);
  expect(of("apiextensions.k8s.io")).toEqual([
    {
      apiGroups: ["apiextensions.k8s.io"],
      resources: ["customresourcedefinitions"],
      verbs: ["create", "get", "patch", "watch"],
    },
    { apiGroups: ["apiextensions.k8s.io"], resources: ["customresourcedefinitions/status"], verbs: ["patch"] },
  ]);
  expect([...of("authentication.k8s.io"), ...of("authorization.k8s.io")]).toEqual([
    { apiGroups: ["authentication.k8s.io"], resources: ["tokenreviews"], verbs: ["create"] },
    { apiGroups: ["authorization.k8s.io"], resources: ["subjectaccessreviews"], verbs: ["create"] },
  ]);
  const keys = rules.map((rule) => JSON.stringify(rule));
  expect(keys).toEqual([...keys].sort());
});

test("rules that differ only in their group are merged, and the verb * replaces the others", () => {
  const poolIn = (group: string) =>
    defineKind({ group, version: "v1", kind: "Pool", plural: "pools", scope: "Namespaced" });
  const uses = [
    { kind: poolIn("b.example.com"), verbs: ["get", "list"] },
    { kind: poolIn("a.example.com"), verbs: ["list", "get"] },
    { kind: Secret, verbs: ["get", "*"] },
  ];
  expect(deriveRules([{ kind: Plain, owns: [], uses, watches: [] }])).toEqual([
    { apiGroups: [""], resources: ["secrets"], verbs: ["*"] },
    { apiGroups: ["a.example.com", "b.example.com"], resources: ["pools"], verbs: ["get", "list"] },
    { apiGroups: ["events.k8s.io"], resources: ["events"], verbs: ["create", "patch"] },
    { apiGroups: ["example.com"], resources: ["plains"], verbs: ["get", "list", "patch", "watch"] },
  ]);
});
