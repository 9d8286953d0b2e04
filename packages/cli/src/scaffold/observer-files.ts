import { controllerVariable } from "./controller-variable.js";
import { kebabCase } from "./kebab-case.js";
import type { ProjectResource } from "./project.js";

/** A controller of a kind that others define. It uses only what every kind has. */
export function observerText(resource: ProjectResource, module: string): string {
  const { kind, namespaced } = resource;
  const child = childOf(resource);
  // A cluster-scoped owner can own objects in any namespace, so it must name one.
  const namespace = namespaced ? "" : ', namespace: "default"';
  return `import { controller } from "kubewright";
${imports([kind, module], [child.kind, "kubewright/k8s/core/v1"])}
/** Keeps a ${child.kind} for each ${kind}, which is repaired when it is changed or deleted. */
export const ${controllerVariable(resource)} = controller(${kind}, {
  owns: [${child.kind}],
  reconcile: async ({ object, apply }) => {
    const name = \`\${object.metadata.name}-${kebabCase(kind)}\`;
    await apply(${child.kind}, { metadata: { name${namespace} }${child.hasData ? ", data: { uid: object.metadata.uid }" : ""} });
  },
});
`;
}

/** The test of {@link observerText}. */
export function observerTest(
  { kind, namespaced, ...resource }: ProjectResource,
  { module, operator, sample }: { readonly module: string; readonly operator: string; readonly sample: object },
): string {
  const child = childOf({ kind, namespaced, ...resource });
  const key = namespaced ? `"first-${kebabCase(kind)}"` : `{ namespace: "default", name: "first-${kebabCase(kind)}" }`;
  const fields = Object.entries(sample).map(([name, value]) => `, ${name}: ${JSON.stringify(value)}`);
  return `import { testCluster } from "@kubewright/testing";
${imports([kind, module], [child.kind, "kubewright/k8s/core/v1"])}import { expect, test } from "vitest";
import { projectOperator } from "${operator}";

// biome-ignore format: one line, whatever the kind needs
const first = { metadata: { name: "first" }${fields.join("")} };

test("a ${kind} has a ${child.kind}, and a deleted one comes back", async () => {
  await using cluster = await testCluster(projectOperator);
  await cluster.create(${kind}, first);
  await cluster.settle();
  expect(await cluster.find(${child.kind}, ${key})).toBeDefined();

  await cluster.delete(${child.kind}, ${key});
  await cluster.settle();
  expect(await cluster.find(${child.kind}, ${key})).toBeDefined();
});
`;
}

/** A valid object of a built-in kind, without metadata; most kinds need nothing more. */
export function coreSample({ group, kind }: ProjectResource): object {
  const labels = { app: "first" };
  const spec = { containers: [{ name: "main", image: "main:1" }] };
  const workload = { selector: { matchLabels: labels }, template: { metadata: { labels }, spec } };
  const job = { template: { spec: { ...spec, restartPolicy: "Never" } } };
  const samples: Readonly<Record<string, object>> = {
    "apps/Deployment": workload,
    "apps/DaemonSet": workload,
    "apps/ReplicaSet": workload,
    "apps/StatefulSet": { ...workload, serviceName: "first" },
    "batch/CronJob": { schedule: "0 * * * *", jobTemplate: { spec: job } },
    "batch/Job": job,
    "/PersistentVolumeClaim": { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
    "/Pod": spec,
    "/Service": { selector: labels, ports: [{ port: 80 }] },
    "networking.k8s.io/Ingress": {
      defaultBackend: { service: { name: "first", port: { number: 80 } } },
    },
  };
  const found = samples[`${group}/${kind}`];
  return found === undefined ? {} : { spec: found };
}

function childOf({ origin, kind }: ProjectResource): { readonly kind: string; readonly hasData: boolean } {
  const isItself = origin === "core" && kind === "ConfigMap";
  return isItself ? { kind: "ServiceAccount", hasData: false } : { kind: "ConfigMap", hasData: true };
}

/** One import for each module, whose names are sorted. */
function imports(...names: readonly (readonly [name: string, module: string])[]): string {
  const byModule = new Map<string, string[]>();
  for (const [name, module] of names) byModule.set(module, [...(byModule.get(module) ?? []), name].toSorted());
  return [...byModule].map(([module, list]) => `import { ${list.join(", ")} } from "${module}";\n`).join("");
}
