import { systemClock } from "@kubewright/core/clock";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { administrator } from "../../access/index.js";
import { type AdmissionRequest, customResources, Registry, type Resource } from "../../registry/index.js";
import { Store } from "../../storage/index.js";
import { convertObject, type MatchFields, matchContext, matchRequest, parseCriteria } from "./index.js";
import type { MatchRule } from "./match-criteria.js";

const registry = new Registry({
  store: new Store(),
  clock: systemClock,
  random: () => 0,
  newUid: () => "",
  signer: { issuer: "test", sign: () => "", publicKey: () => ({}) },
});
const custom = customResources({
  metadata: { name: "foos.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    versions: ["v1", "v2"].map((name) => ({
      name,
      served: true,
      storage: name === "v1",
      schema: { openAPIV3Schema: { type: "object" } },
      ...(name === "v2" && { subresources: { status: {} } }),
    })),
  },
  status: { acceptedNames: { kind: "Foo", plural: "foos", singular: "foo", listKind: "FooList" } },
});
for (const one of custom) registry.install(one);
registry.store.put("namespaces", "default", 0, () => ({ metadata: { name: "default", labels: { team: "a" } } }));
registry.store.put("namespaces", "x", 0, () => ({ metadata: { name: "x", labels: { team: "a" } } }));
const context = matchContext(registry);

function resource(plural: string, version = "v1", group?: string): Resource {
  const found = registry
    .resources()
    .find((one) => one.plural === plural && one.version === version && (group ?? one.group) === one.group);
  if (!found) throw new Error(`${version}/${plural} must be served`);
  return found;
}

function request(plural: string, changes: Partial<AdmissionRequest> = {}): AdmissionRequest {
  return {
    operation: "CREATE",
    resource: resource(plural),
    subresource: "",
    namespace: "default",
    name: "x",
    user: administrator,
    dryRun: false,
    options: () => undefined,
    warn: () => undefined,
    object: { metadata: { name: "x" } },
    old: undefined,
    ...changes,
  };
}

const everything: MatchRule = {
  operations: ["*"],
  apiGroups: ["*"],
  apiVersions: ["*"],
  resources: ["*/*"],
  scope: "*",
};

function match(given: AdmissionRequest, fields: MatchFields): string | undefined {
  const found = matchRequest(given, parseCriteria(fields), context);
  if (!found) return undefined;
  const { group, version, kind } = found.kind;
  return `${found.resource.version}/${found.resource.plural} as ${group}/${version} ${kind}`;
}

function matches(given: AdmissionRequest, rule: Partial<MatchRule>, fields: MatchFields = {}): boolean {
  return match(given, { rules: [{ ...everything, ...rule }], ...fields }) !== undefined;
}

describe("rules", () => {
  test("operations, groups and versions match exactly or by an asterisk", () => {
    expect(matches(request("pods"), { operations: ["UPDATE"] })).toBe(false);
    expect(matches(request("pods"), { operations: ["UPDATE", "CREATE"] })).toBe(true);
    expect(matches(request("pods"), { apiGroups: ["apps"] })).toBe(false);
    expect(matches(request("pods"), { apiGroups: [""] })).toBe(true);
    expect(matches(request("deployments"), { apiGroups: ["apps"], apiVersions: ["v1beta1"] })).toBe(false);
    expect(matches(request("deployments"), { apiGroups: ["apps"], apiVersions: ["v1"] })).toBe(true);
  });

  const resources: readonly [rule: string, plural: string, subresource: string, isMatch: boolean][] = [
    ["pods", "pods", "", true],
    ["pods", "pods", "status", false],
    ["pods/*", "pods", "", true],
    ["pods/*", "pods", "status", true],
    ["pods/*", "services", "status", false],
    ["pods/status", "pods", "status", true],
    ["pods/status", "pods", "", false],
    ["*", "pods", "", true],
    ["*", "pods", "status", false],
    ["*/*", "pods", "", true],
    ["*/*", "pods", "status", true],
    ["*/status", "pods", "status", true],
    ["*/status", "pods", "", false],
    ["*/", "pods", "", true],
  ];
  test.each(resources)("%s and a request for %s/%s", (rule, plural, subresource, isMatch) => {
    expect(matches(request(plural, { subresource }), { resources: [rule] })).toBe(isMatch);
  });

  test("a Namespace is cluster-scoped, although its requests have a namespace", () => {
    const namespace = request("namespaces", { namespace: "" });
    expect(matches(namespace, { scope: "Cluster" })).toBe(true);
    expect(matches(namespace, { scope: "Namespaced" })).toBe(false);
    expect(matches(request("pods"), { scope: "Namespaced" })).toBe(true);
    expect(matches(request("pods"), { scope: "Cluster" })).toBe(false);
    expect(matches(request("nodes", { namespace: "" }), { scope: "Cluster" })).toBe(true);
  });

  test("resourceNames restrict a rule of a policy", () => {
    expect(matches(request("pods"), { resourceNames: ["y"] })).toBe(false);
    expect(matches(request("pods"), { resourceNames: ["y", "x"] })).toBe(true);
    expect(matches(request("pods", { name: "" }), { resourceNames: ["x"] })).toBe(false);
  });

  test("a webhook without rules matches nothing, a policy without rules everything", () => {
    expect(match(request("pods"), { rules: [] })).toBeUndefined();
    expect(match(request("pods"), { resourceRules: [] })).toBe("v1/pods as /v1 Pod");
  });

  test("exclude rules win", () => {
    const fields = { resourceRules: [everything], excludeResourceRules: [{ ...everything, resources: ["pods/*"] }] };
    expect(match(request("pods"), fields)).toBeUndefined();
    expect(match(request("services"), fields)).toBe("v1/services as /v1 Service");
  });

  test("a match names the kind of the subresource", () => {
    const given = request("deployments", { subresource: "scale" });
    expect(match(given, { rules: [everything] })).toBe("v1/deployments as autoscaling/v1 Scale");
    expect(match(request("pods", { subresource: "eviction" }), { rules: [everything] })).toBe(
      "v1/pods as policy/v1 Eviction",
    );
  });
});

describe("matchPolicy", () => {
  const v2 = {
    ...everything,
    apiGroups: ["autoscaling"],
    apiVersions: ["v2"],
    resources: ["horizontalpodautoscalers"],
  };
  const autoscaler = request("horizontalpodautoscalers");

  test("Equivalent matches a request for another version, as the version of the rule", () => {
    expect(match(autoscaler, { rules: [v2], matchPolicy: "Exact" })).toBeUndefined();
    expect(match(autoscaler, { rules: [v2], matchPolicy: "Equivalent" })).toBe(
      "v2/horizontalpodautoscalers as autoscaling/v2 HorizontalPodAutoscaler",
    );
  });

  test("the requested version is preferred to an earlier rule for another one", () => {
    const rules = [v2, { ...v2, apiVersions: ["v1"] }];
    expect(match(autoscaler, { rules, matchPolicy: "Equivalent" })).toContain("v1/horizontalpodautoscalers");
  });

  test("Equivalent matches across groups", () => {
    const rules = [{ ...everything, apiGroups: ["events.k8s.io"], resources: ["events"] }];
    const event = request("events", { resource: resource("events", "v1", "") });
    expect(match(event, { rules, matchPolicy: "Equivalent" })).toBe("v1/events as events.k8s.io/v1 Event");
  });

  test("an equivalent version without the subresource does not match", () => {
    const rules = [{ ...everything, apiVersions: ["v1"], resources: ["foos/status"] }];
    const status = request("foos", { resource: resource("foos", "v2"), subresource: "status" });
    expect(match(status, { rules, matchPolicy: "Equivalent" })).toBeUndefined();
    const object = request("foos", { resource: resource("foos", "v2") });
    const onObject = [{ ...everything, apiVersions: ["v1"], resources: ["foos"] }];
    expect(match(object, { rules: onObject, matchPolicy: "Equivalent" })).toBe("v1/foos as example.com/v1 Foo");
  });

  test("an exclude rule excludes equivalent versions too", () => {
    const fields = { resourceRules: [everything], excludeResourceRules: [v2] };
    expect(match(autoscaler, { ...fields, matchPolicy: "Equivalent" })).toBeUndefined();
    expect(match(autoscaler, { ...fields, matchPolicy: "Exact" })).toContain("v1/horizontalpodautoscalers");
  });
});

describe("selectors", () => {
  const rules = [everything];
  const labelled = (labels: Record<string, string>) => ({ metadata: { name: "x", labels } });

  test("a namespaceSelector reads the labels of the namespace", () => {
    const select = (team: string) => ({ rules, namespaceSelector: { matchLabels: { team } } });
    expect(match(request("pods"), select("a"))).toBeDefined();
    expect(match(request("pods"), select("b"))).toBeUndefined();
  });

  test("cluster-scoped objects match every namespaceSelector", () => {
    const given = request("nodes", { namespace: "" });
    expect(match(given, { rules, namespaceSelector: { matchLabels: { team: "b" } } })).toBeDefined();
  });

  test("a Namespace matches by its own new labels, its deletion by its live ones", () => {
    const select = { rules, namespaceSelector: { matchLabels: { own: "yes" } } };
    const namespace = { namespace: "", object: labelled({ own: "yes" }) };
    expect(match(request("namespaces", namespace), select)).toBeDefined();
    expect(match(request("namespaces", { ...namespace, operation: "DELETE" }), select)).toBeUndefined();
    expect(match(request("namespaces", { ...namespace, subresource: "status" }), select)).toBeUndefined();
  });

  test("a missing namespace is a 404, but only for what matches otherwise", () => {
    const namespaceSelector = { matchLabels: { team: "a" } };
    const given = request("pods", { namespace: "missing" });
    expect(() => match(given, { rules, namespaceSelector })).toThrow('namespaces "missing" not found');
    expect(match(given, { rules: [{ ...everything, operations: ["DELETE"] }], namespaceSelector })).toBeUndefined();
    expect(match(given, { rules })).toBeDefined();
  });

  test("an objectSelector reads the new and the old object", () => {
    const select = { rules, objectSelector: { matchExpressions: [{ key: "app", operator: "Exists" }] } };
    const [with_, without] = [labelled({ app: "a" }), labelled({})];
    expect(match(request("pods", { object: without }), select)).toBeUndefined();
    expect(match(request("pods", { object: with_ }), select)).toBeDefined();
    expect(match(request("pods", { operation: "UPDATE", object: without, old: with_ }), select)).toBeDefined();
    expect(match(request("pods", { operation: "DELETE", object: with_, old: without }), select)).toBeUndefined();
  });
});

test("a rule with every value listed matches what the rule with asterisks matches", () => {
  const plurals = ["pods", "deployments", "nodes"] as const;
  const some = (values: readonly string[]): fc.Arbitrary<string[]> => fc.subarray([...values], { minLength: 1 });
  const rule = fc.record({
    operations: some(["CREATE", "UPDATE", "DELETE", "CONNECT"]),
    apiGroups: some(["", "apps"]),
    apiVersions: some(["v1", "v2"]),
    resources: some(["pods", "deployments", "nodes", "pods/status", "*/scale"]),
  });
  const operations = ["CREATE", "UPDATE", "DELETE", "CONNECT"] as const;
  fc.assert(
    fc.property(rule, fc.constantFrom(...plurals), fc.constantFrom(...operations), (listed, plural, operation) => {
      const given = request(plural, { operation });
      const isListed = (["operations", "apiGroups", "apiVersions"] as const).every((key) =>
        matches(given, { [key]: listed[key] }),
      );
      expect(matches(given, listed)).toBe(isListed && listed.resources.includes(plural));
    }),
  );
});

describe("conversion of an object to an equivalent resource", () => {
  test("the same resource returns the object itself", () => {
    const object = { apiVersion: "v1", kind: "Pod" };
    expect(convertObject(object, resource("pods"), resource("pods"))).toBe(object);
  });

  test("built-in kinds are converted within and across groups", () => {
    const autoscalers = (version: string): Resource => resource("horizontalpodautoscalers", version);
    const old = {
      apiVersion: "autoscaling/v1",
      kind: "HorizontalPodAutoscaler",
      spec: { targetCPUUtilizationPercentage: 5 },
    };
    expect(convertObject(old, autoscalers("v1"), autoscalers("v2"))).toMatchObject({
      apiVersion: "autoscaling/v2",
      spec: { metrics: [{ type: "Resource", resource: { name: "cpu", target: { averageUtilization: 5 } } }] },
    });
    const event = { apiVersion: "v1", kind: "Event", metadata: {}, message: "m" };
    const [core, events] = [resource("events", "v1", ""), resource("events", "v1", "events.k8s.io")];
    expect(convertObject(event, core, events)).toMatchObject({ apiVersion: "events.k8s.io/v1", note: "m" });
  });

  test("custom resources without a webhook get the other apiVersion, and keep every field", () => {
    const object = { apiVersion: "example.com/v2", kind: "Foo", unknown: 1 };
    expect(convertObject(object, resource("foos", "v2"), resource("foos"))).toEqual({
      ...object,
      apiVersion: "example.com/v1",
    });
  });
});
