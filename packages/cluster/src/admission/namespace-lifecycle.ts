import {
  type ApiFailure,
  forbidden,
  metadataOf,
  namespacesBucket,
  notFound,
  type Resource,
} from "../registry/index.js";
import type { AdmissionPlugin } from "./plugin.js";
import { rejectionName } from "./rejection.js";

const permanent = ["default", "kube-system", "kube-public"];
const namespaces = { group: "", plural: "namespaces", kind: "Namespace" };

/** NamespaceLifecycle: no objects in a namespace that is missing or terminating; system namespaces cannot be deleted. */
export const namespaceLifecycle: AdmissionPlugin = {
  name: "NamespaceLifecycle",
  mutate({ operation, resource, namespace, name, object }, { store }) {
    if (operation === "DELETE" && resource.bucket === namespacesBucket && permanent.includes(name))
      throw forbidden(resource, name, "this namespace may not be deleted");
    if (operation !== "CREATE" || namespace === "") return;
    const record = store.bucket(namespacesBucket).get(namespace);
    if (!record) throw notFound(namespaces, namespace);
    if (metadataOf(record.object)["deletionTimestamp"] !== undefined)
      throw terminating(resource, namespace, rejectionName({ name, operation, object }));
  },
};

function terminating(resource: Resource, namespace: string, name: string): ApiFailure {
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
  const message = `namespace ${namespace} is being terminated`;
  return forbidden(resource, name, why, [{ reason: "NamespaceTerminating", message, field: "metadata.namespace" }]);
}
