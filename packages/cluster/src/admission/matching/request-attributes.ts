import type { GroupVersionKind } from "@kubewright/core/identity";
import { type AdmissionRequest, namespacesBucket, type Resource } from "../../registry/index.js";

/** The kind of the object of a request: for a subresource with a kind of its own, that kind. */
export function kindOfRequest({ group, version, kind, subresources }: Resource, subresource: string): GroupVersionKind {
  const part = subresource === "" ? undefined : subresources.find(({ name }) => name === subresource);
  if (part === undefined) return { group, version, kind };
  return { group: part.group ?? group, version: part.version ?? version, kind: part.kind };
}

/** The namespace of a request as kube-apiserver's attributes have it: for a Namespace, its own name. */
export function namespaceOfRequest({ resource, namespace, name }: AdmissionRequest): string {
  return resource.bucket === namespacesBucket ? name : namespace;
}
