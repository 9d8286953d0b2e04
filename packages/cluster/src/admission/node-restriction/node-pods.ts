import { deepEqual, goQuote, type JsonObject } from "@kubewright/core/json";
import { listAt, metadataOf, notFound, objectAt, textAt } from "../../registry/index.js";
import { rejected } from "../rejection.js";
import { type NodeRequest, storedPod } from "./node-request.js";
import { referredObject } from "./referred-objects.js";

const mirrorAnnotation = "kubernetes.io/config.mirror";

/** A node creates and deletes its mirror pods, and writes the status of pods that are bound to it. */
export function checkNodePod(of: NodeRequest): void {
  const { request } = of;
  switch (request.subresource) {
    case "":
      checkPod(of);
      break;
    case "status":
      checkStatus(of);
      break;
    case "eviction":
      checkEviction(of);
      break;
    default:
      throw rejected(
        request,
        `unexpected pod subresource ${goQuote(request.subresource)}, only 'status' and 'eviction' are allowed`,
      );
  }
}

function checkPod(of: NodeRequest): void {
  const { request, node } = of;
  const { operation, name } = request;
  if (operation === "CREATE") {
    checkNew(of);
    return;
  }
  if (operation !== "DELETE")
    throw rejected(
      request,
      `unexpected operation ${goQuote(operation)}, node ${goQuote(node)} can only create and delete mirror pods`,
    );
  if (nodeNameOf(request.old ?? storedPod(of, name)) !== node)
    throw rejected(request, `node ${goQuote(node)} can only delete pods with spec.nodeName set to itself`);
}

function nodeNameOf(pod: JsonObject): string {
  return textAt(objectAt(pod, "spec"), "nodeName");
}

function checkNew(of: NodeRequest): void {
  const { request, node } = of;
  const pod = request.object;
  const reject = (why: string): Error => rejected(request, why);
  const name = goQuote(node);
  if (!Object.hasOwn(objectAt(metadataOf(pod), "annotations"), mirrorAnnotation))
    throw reject(`pod does not have ${goQuote(mirrorAnnotation)} annotation, node ${name} can only create mirror pods`);
  if (nodeNameOf(pod) !== node) throw reject(`node ${name} can only create pods with spec.nodeName set to itself`);
  checkOwner(of);
  const { resource, problem } = referredObject(objectAt(pod, "spec"));
  if (problem !== undefined) throw reject(`error checking mirror pod for API references: ${problem}`);
  if (resource !== undefined) throw reject(`node ${name} can not create pods that reference ${resource}`);
}

/** The only owner of a mirror pod is its Node. */
function checkOwner({ request, node, store }: NodeRequest): void {
  const reject = (why: string): Error => rejected(request, why);
  const name = goQuote(node);
  const [owner, second] = listAt(metadataOf(request.object), "ownerReferences") as readonly JsonObject[];
  if (second !== undefined)
    throw reject(`node ${name} can only create pods with a single owner reference set to itself`);
  if (owner?.["apiVersion"] !== "v1" || owner["kind"] !== "Node" || owner["name"] !== node)
    throw reject(`node ${name} can only create pods with an owner reference set to itself`);
  if (owner["controller"] !== true)
    throw reject(`node ${name} can only create pods with a controller owner reference set to itself`);
  if (owner["blockOwnerDeletion"] === true)
    throw reject(`node ${name} must not set blockOwnerDeletion on an owner reference`);
  const stored = store.bucket("nodes").get(node)?.object;
  if (stored === undefined) throw notFound({ group: "", plural: "node", kind: "Node" }, node);
  const [expected, given] = [textAt(owner, "uid"), textAt(metadataOf(stored), "uid")];
  if (expected !== given) throw reject(`node ${node} UID mismatch: expected ${expected} got ${given}`);
}

function checkStatus({ request, node }: NodeRequest): void {
  const { operation, object, old } = request;
  if (operation !== "UPDATE" || old === undefined)
    throw rejected(request, `unexpected operation ${goQuote(operation)}`);
  const name = goQuote(node);
  if (nodeNameOf(old) !== node)
    throw rejected(request, `node ${name} can only update pod status for pods with spec.nodeName set to itself`);
  if (!deepEqual(objectAt(metadataOf(object), "labels"), objectAt(metadataOf(old), "labels")))
    throw rejected(request, `node ${name} cannot update labels through pod status`);
  const [before, after] = [objectAt(old, "status"), objectAt(object, "status")];
  if (!deepEqual(listAt(before, "resourceClaimStatuses"), listAt(after, "resourceClaimStatuses")))
    throw rejected(request, `node ${name} cannot update resource claim statues`);
  const extended = "extendedResourceClaimStatus";
  if (!deepEqual(objectAt(before, extended), objectAt(after, extended)))
    throw rejected(request, `node ${name} cannot update extended resource claim status`);
}

function checkEviction(of: NodeRequest): void {
  const { request, node } = of;
  if (request.operation !== "CREATE") throw rejected(request, `unexpected operation ${request.operation}`);
  const name = request.name || textAt(metadataOf(request.object), "name");
  if (name === "") throw rejected(request, "could not determine pod from request data");
  if (nodeNameOf(storedPod(of, name)) !== node)
    throw rejected(request, `node ${node} can only evict pods with spec.nodeName set to itself`);
}
