import { startCluster } from "@kubewright/cluster";
import type { JsonObject } from "@kubewright/core/json";
import type { Comparison } from "./comparison.js";
import { type Creates, compareCreates, postTo } from "./creates.js";

/** Twenty rules of the spec, as CRDs contain them. */
const rules: readonly string[] = [
  "self.replicas <= self.max",
  "self.replicas >= self.min",
  "self.min <= self.max",
  "self.name.startsWith('a')",
  "self.name.size() < 20",
  "self.name.matches('^[a-z]+$')",
  "self.name in ['abc', 'def', 'ghi']",
  "!(self.name == 'none' && self.replicas > 0)",
  "has(self.name) && !has(self.missing)",
  "!has(self.missing) || self.missing != self.name",
  "self.items.all(item, item.size > 0)",
  "self.items.exists(item, item.name == 'c')",
  "self.items.exists_one(item, item.name == 'a')",
  "self.items.filter(item, item.size > 1).size() == 2",
  "self.items.map(item, item.name).all(name, name.size() == 1)",
  "size(self.items) <= 10",
  "self.items.size() >= self.min",
  "self.ratio < 1.0 ? self.replicas == 3 : self.replicas > 3",
  "self.ratio >= 0.0 && self.ratio <= 1.0",
  "self.items[0].name + self.items[1].name == 'ab'",
];

const integer: JsonObject = { type: "integer" };
const text: JsonObject = { type: "string", maxLength: 50 };
const properties: JsonObject = {
  name: text,
  missing: text,
  replicas: integer,
  min: integer,
  max: integer,
  ratio: { type: "number" },
  items: { type: "array", maxItems: 20, items: { type: "object", properties: { name: text, size: integer } } },
};
const items = ["a", "b", "c"].map((name, index) => ({ name, size: index + 1 }));
const spec = { name: "abc", replicas: 3, min: 1, max: 5, ratio: 0.5, items };

/** The time of a create in process of a custom resource with twenty rules; the peer is one without rules. */
export async function measureRuleCreates(): Promise<Comparison> {
  const cluster = await startCluster({ workloads: false });
  const creates = async (group: string, given: readonly string[]): Promise<Creates> => {
    await postTo(cluster, "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definitionOf(group, given));
    return {
      cluster,
      path: `/apis/${group}/v1/namespaces/default/widgets`,
      objectNamed: (name) => ({ apiVersion: `${group}/v1`, kind: "Widget", metadata: { name }, spec }),
    };
  };
  try {
    const [ours, without] = [await creates("ruled.example.com", rules), await creates("free.example.com", [])];
    return await compareCreates(`create of a custom resource with ${rules.length} rules`, ours, without, 0.5);
  } finally {
    await cluster.close();
  }
}

function definitionOf(group: string, given: readonly string[]): JsonObject {
  const validations = given.map((rule) => ({ rule }));
  const schema = { type: "object", properties, ...(given.length > 0 && { "x-kubernetes-validations": validations }) };
  const openAPIV3Schema = { type: "object", properties: { spec: schema } };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `widgets.${group}` },
    spec: {
      group,
      names: { kind: "Widget", plural: "widgets" },
      scope: "Namespaced",
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
}
