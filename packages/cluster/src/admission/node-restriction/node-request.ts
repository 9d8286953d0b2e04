import type { JsonObject } from "@kubewright/core/json";
import type { Authorizer } from "../../access/index.js";
import { type AdmissionRequest, notFound } from "../../registry/index.js";
import type { Store } from "../../storage/index.js";

/** A request by a node. */
export interface NodeRequest {
  readonly request: AdmissionRequest;
  readonly node: string;
  readonly store: Store;
  readonly authorizer: Authorizer;
}

/** The stored pod. Throws a 404 if there is none. */
export function storedPod({ request, store }: NodeRequest, name: string): JsonObject {
  const record = store.bucket("pods").get(`${request.namespace}/${name}`);
  // A lister of client-go names the kind in the singular.
  if (record === undefined) throw notFound({ group: "", plural: "pod", kind: "Pod" }, name);
  return record.object;
}
