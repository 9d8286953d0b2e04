import { administrator } from "../access/index.js";
import { builtinData } from "./builtin-api.js";
import { createObject } from "./create.js";
import type { Draft } from "./draft.js";
import { localApiServices, serviceRange, systemPriorityClasses } from "./kinds/index.js";
import { storeReady } from "./ready-object.js";
import type { Registry } from "./registry.js";
import { emptyBody } from "./request-body.js";
import { timestamp } from "./write-context.js";

const server = "kube-apiserver";

/** Creates what a fresh server holds, namespaces first. Objects that are not served are left out. */
export function createBootstrapObjects(registry: Registry): void {
  const namespaces = ["kube-system", "kube-public", "kube-node-lease", "default"];
  const create = (group: string, plural: string, namespace: string, bodies: readonly Draft[]): void => {
    const resource = registry.find(group, "v1", plural);
    const options = {
      dryRun: false,
      manager: server,
      fieldValidation: "Strict",
      user: administrator,
      warn() {},
    } as const;
    const target = { namespace, name: "", subresource: "" };
    if (!resource) return;
    // Admission of a fresh server waits for nothing.
    for (const value of bodies)
      void createObject({
        context: registry,
        resource,
        target,
        body: { ...emptyBody, value },
        options,
      });
  };
  create(
    "",
    "namespaces",
    "",
    namespaces.map((name) => ({ metadata: { name } })),
  );
  create("scheduling.k8s.io", "priorityclasses", "", systemPriorityClasses());
  for (const { group, plural, bodies } of readyObjects(timestamp(registry.clock))) {
    const resource = registry.find(group, "v1", plural);
    if (resource) for (const body of bodies) storeReady(registry, resource, body, server);
  }
  create("", "services", "default", [ownService()]);
}

/** What a fresh server holds beside, complete. `time` is now. */
export function readyObjects(
  time: string,
): readonly { readonly group: string; readonly plural: string; readonly bodies: Draft[] }[] {
  const isReady: Draft = {
    lastTransitionTime: time,
    message: "Kubernetes default Service CIDR is ready",
    reason: "",
    status: "True",
    type: "Ready",
  };
  const range: Draft = {
    metadata: { name: "kubernetes" },
    spec: { cidrs: [serviceRange] },
    status: { conditions: [isReady] },
  };
  return [
    { group: "apiregistration.k8s.io", plural: "apiservices", bodies: localApiServices(builtinData(), time) },
    { group: "networking.k8s.io", plural: "servicecidrs", bodies: [range] },
  ];
}

/** The Service by which pods reach the server. */
function ownService(): Draft {
  return {
    metadata: { name: "kubernetes", labels: { component: "apiserver", provider: "kubernetes" } },
    spec: {
      clusterIP: "10.0.0.1",
      ports: [{ name: "https", port: 443, protocol: "TCP", targetPort: 6443 }],
      ipFamilyPolicy: "SingleStack",
      sessionAffinity: "None",
      type: "ClusterIP",
    },
  };
}
