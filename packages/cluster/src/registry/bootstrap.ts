import { createObject } from "./create.js";
import { systemPriorityClasses } from "./kinds/index.js";
import type { Registry } from "./registry.js";

/** Creates what a fresh server holds, namespaces first. Objects that are not served are left out. */
export function createBootstrapObjects(registry: Registry): void {
  const options = { dryRun: false, manager: "kube-apiserver", fieldValidation: "Strict", warn() {} } as const;
  const namespaces = ["kube-system", "kube-public", "kube-node-lease", "default"];
  const objects = [
    { group: "", plural: "namespaces", bodies: namespaces.map((name) => ({ metadata: { name } })) },
    { group: "scheduling.k8s.io", plural: "priorityclasses", bodies: systemPriorityClasses() },
  ];
  for (const { group, plural, bodies } of objects) {
    const resource = registry.find(group, "v1", plural);
    if (resource) for (const body of bodies) createObject(registry, resource, "", body, options);
  }
}
