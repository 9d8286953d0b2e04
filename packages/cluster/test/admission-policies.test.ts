import type { JsonObject } from "@kubewright/core/json";
import { ValidatingAdmissionPolicy } from "kubewright/k8s/admissionregistration/v1";
import { describe, expect, test } from "vitest";
import { startCluster } from "../src/index.js";
import { startTestCluster } from "./test-cluster.js";
import { startVirtualCluster } from "./virtual-cluster.js";

const api = "/apis/admissionregistration.k8s.io/v1";
const configMaps = "/api/v1/namespaces/default/configmaps";
const resourceRules = [
  { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE" as const], resources: ["configmaps"] },
];
const policy = (name: string, spec: JsonObject): JsonObject => ({
  metadata: { name },
  spec: { matchConstraints: { resourceRules }, ...spec },
});

describe("admission policies", () => {
  test("audit annotations and failed validations of Audit bindings are reported to the audit", async () => {
    const annotations: string[] = [];
    await using cluster = await startCluster({
      audit: {
        observe: () => undefined,
        annotate: (key, value, { path }) => annotations.push(`${path} ${key}=${value}`),
      },
    });
    const post = (path: string, body: JsonObject) => cluster.transport.send({ method: "POST", path, body });
    const spec = {
      validations: [{ expression: "object.data.a != 'x'", message: "not x" }],
      auditAnnotations: [{ key: "value", valueExpression: "'a is ' + object.data.a" }],
    };
    await post(`${api}/validatingadmissionpolicies`, policy("p", spec));
    await post(`${api}/validatingadmissionpolicybindings`, {
      metadata: { name: "b" },
      spec: { policyName: "p", validationActions: ["Audit"] },
    });
    expect((await post(configMaps, { metadata: { name: "a" }, data: { a: "x" } })).status).toBe(201);
    const failure =
      '[{"message":"not x","policy":"p","binding":"b","expressionIndex":0,"validationActions":["Audit"]}]';
    expect(annotations).toEqual([
      `${configMaps} validation.policy.admission.k8s.io/validation_failure=${failure}`,
      `${configMaps} p/value=a is x`,
    ]);
  });

  test("policies apply in the order of their names, and a change takes effect at once", async () => {
    const { post, merge } = await startTestCluster();
    for (const name of ["b", "a"]) {
      const mutations = [
        {
          patchType: "JSONPatch",
          jsonPatch: { expression: `[JSONPatch{op: "add", path: "/data/x", value: object.data.x + "${name}"}]` },
        },
      ];
      await post(`${api}/mutatingadmissionpolicies`, policy(name, { reinvocationPolicy: "Never", mutations }));
      await post(`${api}/mutatingadmissionpolicybindings`, { metadata: { name }, spec: { policyName: name } });
    }
    const created = async (name: string) => (await post(configMaps, { metadata: { name }, data: { x: "" } })).body.data;
    expect(await created("one")).toEqual({ x: "ab" });
    await merge(`${api}/mutatingadmissionpolicies/a`, {
      spec: { matchConditions: [{ name: "n", expression: "false" }] },
    });
    expect(await created("two")).toEqual({ x: "b" });
  });

  test("the status warns of fields that no object of the matched kinds has", async () => {
    await using world = await startVirtualCluster({ nodes: 0 });
    const { client, rest } = world;
    await client.create(ValidatingAdmissionPolicy, {
      metadata: { name: "typed" },
      spec: {
        matchConstraints: { resourceRules },
        variables: [{ name: "text", expression: "object.data" }],
        validations: [
          { expression: "object.dat.size() > 1", messageExpression: "'a' + object.kind" },
          { expression: "object.metadata.labels['a'] == 'b' && variables.text.size() > 1" },
          { expression: "true", messageExpression: "string(object.metadata.nam)" },
        ],
      },
    });
    await rest();
    const { status } = await client.get(ValidatingAdmissionPolicy, "typed");
    expect(status?.observedGeneration).toBe(1);
    expect(status?.typeChecking?.expressionWarnings).toEqual([
      {
        fieldRef: "spec.validations[0].expression",
        warning:
          "/v1, Kind=ConfigMap: ERROR: <input>:1:7: undefined field 'dat'\n | object.dat.size() > 1\n | ......^\n",
      },
      {
        fieldRef: "spec.validations[2].messageExpression",
        warning:
          "/v1, Kind=ConfigMap: ERROR: <input>:1:23: undefined field 'nam'\n | string(object.metadata.nam)\n | ......................^\n",
      },
    ]);
  });
});
