import fc from "fast-check";
import { expect, test } from "vitest";
import { configMaps, definitions, type Loose, sampleDefinition, samples, startTestCluster } from "./test-cluster.js";

const key = fc.oneof(
  fc.constantFrom(
    "metadata",
    "name",
    "labels",
    "finalizers",
    "spec",
    "status",
    "data",
    "template",
    "containers",
    "selector",
  ),
  fc.constantFrom(
    "apiVersion",
    "kind",
    "versions",
    "schema",
    "managedFields",
    "ownerReferences",
    "annotations",
    "__proto__",
  ),
  fc.string({ maxLength: 5 }),
);
const leaf = fc.oneof(
  fc.constantFrom("a", "x", "v1", "ConfigMap", "Sample", "example.com/v1alpha1", "", null, true, 0, -1, 1.5),
  fc.string({ maxLength: 8 }),
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    leaf,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(key, tie("value"), { maxKeys: 4 }),
  ),
}));
const body = fc.oneof(
  value,
  fc.tuple(value, value, fc.constantFrom("ConfigMap", "Sample", "Deployment")).map(([spec, metadata, kind]) => ({
    apiVersion: kind === "Sample" ? "example.com/v1alpha1" : kind === "Deployment" ? "apps/v1" : "v1",
    kind,
    metadata: typeof metadata === "object" && metadata !== null ? { name: "a", ...metadata } : { name: "a" },
    spec,
    data: spec,
  })),
);
const request = fc.record({
  method: fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE"),
  path: fc.oneof(
    fc.constantFrom(
      configMaps,
      samples,
      definitions,
      "/apis/apps/v1/namespaces/default/deployments",
      "/api/v1/namespaces",
      "/apis",
      "/openapi/v3",
    ),
    fc.constantFrom(
      `${configMaps}/a`,
      `${samples}/a`,
      `${samples}/a/status`,
      `${definitions}/samples.example.com`,
      "/api/v1/namespaces/default/events/a",
    ),
    fc.webPath(),
  ),
  query: fc.dictionary(
    fc.constantFrom(
      "limit",
      "continue",
      "labelSelector",
      "fieldSelector",
      "resourceVersion",
      "dryRun",
      "fieldManager",
      "force",
      "fieldValidation",
      "propagationPolicy",
    ),
    fc.oneof(
      fc.constantFrom("1", "true", "All", "Strict", "me", "a=b", "Orphan", "Foreground"),
      fc.string({ maxLength: 6 }),
    ),
    { maxKeys: 3 },
  ),
  type: fc.constantFrom(
    "application/json-patch+json",
    "application/merge-patch+json",
    "application/strategic-merge-patch+json",
    "application/apply-patch+yaml",
  ),
  body,
});

test("no request causes an internal error", async () => {
  const { cluster, post } = await startTestCluster();
  await post(definitions, sampleDefinition({ subresources: { status: {} } }));
  await fc.assert(
    fc.asyncProperty(request, async ({ method, path, query, type, body: sent }) => {
      const response = await cluster.transport.send({
        method: method as "GET",
        path,
        query,
        headers: { "content-type": type },
        ...(method === "GET" ? {} : { body: sent }),
      });
      const found = response.body as Loose;
      expect(response.status).toBeGreaterThanOrEqual(200);
      if (response.status >= 400 && typeof found === "object") expect(found.reason).not.toBe("InternalError");
      expect(cluster.idle).toBe(true);
    }),
    { numRuns: 1_000 },
  );
  expect(({} as Loose).polluted).toBeUndefined();
});
