import { parseCertificateRequest } from "@kubewright/core/certificates";
import { deepEqual, goQuote, type JsonObject, type JsonValue } from "@kubewright/core/json";
import type { Authorizer, User } from "../../access/index.js";
import { type AdmissionRequest, metadataOf, objectAt, textAt } from "../../registry/index.js";
import type { AdmissionPlugin } from "../plugin.js";
import { rejected } from "../rejection.js";
import { checkNewNodeLabels, checkNodeLabels } from "./node-labels.js";
import { checkNodePod } from "./node-pods.js";
import type { NodeRequest } from "./node-request.js";
import { checkNodeToken } from "./node-tokens.js";

const userPrefix = "system:node:";
const nodesGroup = "system:nodes";
const leaseNamespace = "kube-node-lease";
const nodeSigners = ["kubernetes.io/kubelet-serving", "kubernetes.io/kube-apiserver-client-kubelet"];

/** NodeRestriction: a user of the group `system:nodes` writes only its own Node, Lease, CSINode and ResourceSlices, and pods bound to it. */
export function nodeRestriction(authorizer: Authorizer): AdmissionPlugin {
  return {
    name: "NodeRestriction",
    resources: Object.keys(checks),
    mutate(request, { store }) {
      const node = nodeOf(request.user);
      if (node === undefined || request.operation === "CONNECT") return;
      if (node === "") throw rejected(request, `could not determine node from user ${goQuote(request.user.name)}`);
      checks[request.resource.bucket]?.({ request, node, store, authorizer });
    },
  };
}

/** The node that a user is; undefined for other users. */
function nodeOf({ name, groups }: User): string | undefined {
  return name.startsWith(userPrefix) && groups.includes(nodesGroup) ? name.slice(userPrefix.length) : undefined;
}

const checks: Readonly<Record<string, (request: NodeRequest) => void>> = {
  pods: checkNodePod,
  nodes: checkNode,
  persistentvolumeclaims: checkClaim,
  serviceaccounts: checkNodeToken,
  "leases.coordination.k8s.io": ({ request, node }) => {
    if (request.namespace !== leaseNamespace)
      throw rejected(request, `can only access leases in the ${goQuote(leaseNamespace)} system namespace`);
    if (nameOf(request) !== node)
      throw rejected(request, "can only access node lease with the same name as the requesting node");
  },
  "csinodes.storage.k8s.io": ({ request, node }) => {
    if (nameOf(request) !== node)
      throw rejected(request, "can only access CSINode with the same name as the requesting node");
  },
  "resourceslices.resource.k8s.io": ({ request, node }) => {
    const { operation, object, old } = request;
    if (operation === "CREATE" && nodeNameOf(object) !== node)
      throw rejected(request, "can only create ResourceSlice with the same NodeName as the requesting node");
    if (operation === "DELETE" && nodeNameOf(old ?? {}) !== node)
      throw rejected(request, "can only delete ResourceSlice with the same NodeName as the requesting node");
  },
  "certificatesigningrequests.certificates.k8s.io": checkCertificate,
};

function nodeNameOf(slice: JsonObject): string {
  return textAt(objectAt(slice, "spec"), "nodeName");
}

function nameOf({ operation, name, object }: AdmissionRequest): string {
  return operation === "CREATE" ? textAt(metadataOf(object), "name") : name;
}

function checkNode({ request, node }: NodeRequest): void {
  const { operation, name, object, old } = request;
  const of = goQuote(node);
  if (name !== node) throw rejected(request, `node ${of} is not allowed to modify node ${goQuote(name)}`);
  const source = objectAt(object, "spec")["configSource"];
  if (operation === "CREATE") {
    if (source !== undefined)
      throw rejected(request, `node ${of} is not allowed to create pods with a non-nil configSource`);
    checkNewNodeLabels(request, node);
  }
  if (operation !== "UPDATE" || old === undefined) return;
  const isSame = (part: (one: JsonObject) => JsonValue | undefined): boolean =>
    deepEqual(part(object) ?? null, part(old) ?? null);
  if (source !== undefined && !isSame((one) => objectAt(one, "spec")["configSource"]))
    throw rejected(request, `node ${of} is not allowed to update configSource to a new non-nil configSource`);
  if (!isSame((one) => objectAt(one, "spec")["taints"]))
    throw rejected(request, `node ${of} is not allowed to modify taints`);
  if (!isSame((one) => metadataOf(one)["ownerReferences"]))
    throw rejected(request, `node ${of} is not allowed to modify ownerReferences`);
  checkNodeLabels(request);
}

/** Fields of a PersistentVolumeClaim that its node reports. */
const reportedFields = ["capacity", "conditions", "allocatedResourceStatuses", "allocatedResources"];

function checkClaim({ request, node }: NodeRequest): void {
  const { operation, subresource, object, old } = request;
  if (subresource !== "status") throw rejected(request, "may only update PVC status");
  if (operation !== "UPDATE" || old === undefined)
    throw rejected(request, `unexpected operation ${goQuote(operation)}`);
  if (!deepEqual(withoutReported(object), withoutReported(old)))
    throw rejected(
      request,
      `node ${goQuote(node)} is not allowed to update fields other than status.quantity and status.conditions`,
    );
}

function withoutReported(object: JsonObject): JsonObject {
  const metadata = { ...metadataOf(object), resourceVersion: "", managedFields: [] };
  const status = { ...objectAt(object, "status") };
  for (const field of reportedFields) delete status[field];
  return { ...object, metadata, status };
}

function checkCertificate({ request, node }: NodeRequest): void {
  if (request.operation !== "CREATE") return;
  const spec = objectAt(request.object, "spec");
  if (!nodeSigners.includes(textAt(spec, "signerName"))) return;
  let commonName: string;
  try {
    ({ commonName } = parseCertificateRequest(Buffer.from(textAt(spec, "request"), "base64").toString("latin1")));
  } catch (error) {
    throw rejected(request, `unable to parse csr: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (commonName !== userPrefix + node)
    throw rejected(request, `can only create a node CSR with CN=${userPrefix}${node}`);
}
