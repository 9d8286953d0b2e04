import { administrator } from "../access/index.js";
import { createBootstrapPolicy } from "./bootstrap-policy.js";
import { builtinData } from "./builtin-api.js";
import { createObject } from "./create.js";
import type { Draft } from "./draft.js";
import { defaultServiceCidr, localApiServices, systemPriorityClasses } from "./kinds/index.js";
import { storePrebuilt } from "./prebuilt-object.js";
import type { Registry } from "./registry.js";
import { emptyBody } from "./request-body.js";
import { timestamp } from "./write-context.js";

const manager = "kube-apiserver";

/** Creates the bootstrap objects of a new cluster, namespaces first. Skips resources that are not served. */
export function createBootstrapObjects(registry: Registry): void {
  const namespaces = ["kube-system", "kube-public", "kube-node-lease", "default"];
  const create = (group: string, plural: string, namespace: string, bodies: readonly Draft[]): void => {
    const resource = registry.find(group, "v1", plural);
    const options = {
      dryRun: false,
      manager,
      fieldValidation: "Strict",
      user: administrator,
      warn() {},
    } as const;
    const target = { namespace, name: "", subresource: "" };
    if (!resource) return;
    // No admission plugin of a new cluster is asynchronous: every create completes in this turn.
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
  for (const { group, plural, bodies } of prebuiltObjects(timestamp(registry.clock))) {
    const resource = registry.find(group, "v1", plural);
    if (resource) for (const body of bodies) storePrebuilt(registry, resource, { body, manager });
  }
  createBootstrapPolicy(registry);
  create("", "services", "default", [kubernetesService()]);
}

/** The bootstrap objects that are stored without a create, with all their defaults. `time` is the current time. */
export function prebuiltObjects(
  time: string,
): readonly { readonly group: string; readonly plural: string; readonly bodies: Draft[] }[] {
  const readyCondition: Draft = {
    lastTransitionTime: time,
    message: "Kubernetes default Service CIDR is ready",
    reason: "",
    status: "True",
    type: "Ready",
  };
  const serviceCidr: Draft = {
    metadata: { name: "kubernetes" },
    spec: { cidrs: [defaultServiceCidr] },
    status: { conditions: [readyCondition] },
  };
  return [
    { group: "apiregistration.k8s.io", plural: "apiservices", bodies: localApiServices(builtinData(), time) },
    { group: "networking.k8s.io", plural: "servicecidrs", bodies: [serviceCidr] },
  ];
}

/** The `kubernetes` Service, by which Pods reach the API server. */
function kubernetesService(): Draft {
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
