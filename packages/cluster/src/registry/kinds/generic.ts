import { ageColumn, nameColumn } from "../columns.js";
import { type Draft, keepFrom } from "../draft.js";
import { dns1035Label, type NameRule, subdomainName } from "../name-rules.js";
import type { Strategy } from "../resource.js";

/** What is known of a kind that has no code of its own; everything else is as with most kinds. */
interface KindFacts {
  /** @default RFC 1123 subdomain */
  readonly nameRule?: NameRule;
  /** Whether an update may leave out the resource version. @default true */
  readonly unconditionalUpdate?: boolean;
  /** Whether an update of an object that is not there creates it. @default false */
  readonly createOnUpdate?: boolean;
  /** Whether generations are counted. @default false */
  readonly tracksGeneration?: boolean;
}

/** A name that can stand in a path: what roles and their bindings are called. */
export const pathSegmentName: NameRule = (value) => {
  if (value === "." || value === "..") return [`may not be '${value}'`];
  return ["/", "%"].filter((part) => value.includes(part)).map((part) => `may not contain '${part}'`);
};

const counted: KindFacts = { tracksGeneration: true };
const countedAndVersioned: KindFacts = { tracksGeneration: true, unconditionalUpdate: false };
const versioned: KindFacts = { unconditionalUpdate: false };
const role: KindFacts = { nameRule: pathSegmentName, createOnUpdate: true };

/** By `group/Kind`; kinds that are not here differ in nothing. */
const facts: Readonly<Record<string, KindFacts>> = {
  "/Endpoints": { createOnUpdate: true },
  "/LimitRange": { createOnUpdate: true },
  "/Service": { nameRule: dns1035Label, createOnUpdate: true },
  "admissionregistration.k8s.io/MutatingAdmissionPolicy": countedAndVersioned,
  "admissionregistration.k8s.io/MutatingAdmissionPolicyBinding": countedAndVersioned,
  "admissionregistration.k8s.io/MutatingWebhookConfiguration": countedAndVersioned,
  "admissionregistration.k8s.io/ValidatingAdmissionPolicy": countedAndVersioned,
  "admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding": countedAndVersioned,
  "admissionregistration.k8s.io/ValidatingWebhookConfiguration": countedAndVersioned,
  "apiregistration.k8s.io/APIService": versioned,
  "discovery.k8s.io/EndpointSlice": counted,
  "flowcontrol.apiserver.k8s.io/FlowSchema": counted,
  "flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration": counted,
  "networking.k8s.io/Ingress": counted,
  "networking.k8s.io/IngressClass": counted,
  "networking.k8s.io/NetworkPolicy": counted,
  "node.k8s.io/RuntimeClass": { unconditionalUpdate: false, createOnUpdate: true },
  "rbac.authorization.k8s.io/ClusterRole": role,
  "rbac.authorization.k8s.io/ClusterRoleBinding": role,
  "rbac.authorization.k8s.io/Role": role,
  "rbac.authorization.k8s.io/RoleBinding": role,
  "resource.k8s.io/DeviceClass": counted,
  "resource.k8s.io/ResourceSlice": counted,
  "storage.k8s.io/CSIDriver": versioned,
  "storage.k8s.io/CSINode": versioned,
  "storage.k8s.io/CSIStorageCapacity": versioned,
  "storage.k8s.io/VolumeAttachment": versioned,
};

/** Kinds whose deletion is answered with the object that went. */
const returnedKinds: ReadonlySet<string> = new Set([
  "/PersistentVolume",
  "/PersistentVolumeClaim",
  "/ResourceQuota",
  "/Service",
  "/ServiceAccount",
  "resource.k8s.io/DeviceClass",
  "resource.k8s.io/ResourceClaim",
  "resource.k8s.io/ResourceClaimTemplate",
  "resource.k8s.io/ResourceSlice",
  "storage.k8s.io/CSIDriver",
  "storage.k8s.io/CSINode",
  "storage.k8s.io/StorageClass",
  "storage.k8s.io/VolumeAttachment",
  "storage.k8s.io/VolumeAttributesClass",
]);

/** The strategy of a kind without code of its own: right about names, generations, versions and status; nothing else is checked. */
export function genericStrategy(group: string, kind: string, hasStatus: boolean): Strategy {
  const known = facts[`${group}/${kind}`] ?? {};
  return {
    nameRule: known.nameRule ?? subdomainName,
    unconditionalUpdate: known.unconditionalUpdate ?? true,
    createOnUpdate: known.createOnUpdate ?? false,
    tracksGeneration: known.tracksGeneration ?? false,
    returnsDeleted: returnedKinds.has(`${group}/${kind}`),
    ...(hasStatus ? withStatus : {}),
    columns: [nameColumn, ageColumn],
  };
}

/** What kinds with a status of its own path do: neither path changes what belongs to the other. */
const withStatus = {
  prepareNew(draft: Draft): void {
    if (draft["status"] !== undefined) draft["status"] = {};
  },
  prepareChange(draft: Draft, old: Parameters<typeof keepFrom>[1], subresource: string): void {
    if (subresource !== "status") keepFrom(draft, old, "status");
    else
      for (const key of Object.keys({ ...old, ...draft }))
        if (key !== "status" && key !== "metadata") keepFrom(draft, old, key);
  },
} satisfies Partial<Strategy>;
