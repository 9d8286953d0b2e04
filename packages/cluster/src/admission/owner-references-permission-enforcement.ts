import { deepEqual, type JsonObject } from "@kubewright/core/json";
import type { AccessAttributes, Authorizer, Decision } from "../access/index.js";
import { type AdmissionRequest, listAt, metadataOf, type Registry, textAt } from "../registry/index.js";
import type { AdmissionPlugin } from "./plugin.js";
import { rejected } from "./rejection.js";

/** Dependencies of the plugin. */
export interface OwnerReferencesOptions {
  readonly registry: Registry;
  readonly authorizer: Authorizer;
}

/**
 * OwnerReferencesPermissionEnforcement: only users who may delete an object change its ownerReferences, and only users who may update
 * `finalizers` of an owner set blockOwnerDeletion. OpenShift enables it.
 */
export function ownerReferencesPermissionEnforcement(options: OwnerReferencesOptions): AdmissionPlugin {
  return {
    name: "OwnerReferencesPermissionEnforcement",
    validate(request) {
      const { operation, resource, subresource } = request;
      if (operation !== "CREATE" && operation !== "UPDATE") return;
      // Its strategy keeps the metadata.
      if (resource.bucket === "pods" && subresource === "status") return;
      const before = request.old ? ownersOf(request.old) : [];
      const after = ownersOf(request.object);
      // Nearly every write: no owner, or the same frozen list.
      if (after === before || (after.length === 0 && before.length === 0)) return;
      if (request.old && deepEqual(after, before)) return;
      if (operation === "UPDATE") checkDelete(request, options);
      checkBlocking(request, newlyBlocking(after, before), options);
    },
  };
}

function ownersOf(object: JsonObject): readonly JsonObject[] {
  return listAt(metadataOf(object), "ownerReferences") as readonly JsonObject[];
}

function checkDelete(request: AdmissionRequest, { authorizer }: OwnerReferencesOptions): void {
  const { user, namespace, resource, subresource, name } = request;
  const { allowed, reason } = authorizer.authorize(user, {
    kind: "resource",
    verb: "delete",
    group: resource.group,
    resource: resource.plural,
    subresource,
    namespace,
    name,
  });
  if (!allowed) throw rejected(request, `cannot set an ownerRef on a resource you can't delete: ${reason}, <nil>`);
}

/** References that block the deletion of their owner, and did not before. */
function newlyBlocking(after: readonly JsonObject[], before: readonly JsonObject[]): readonly JsonObject[] {
  const blocked = new Set(before.filter(blocks).map(({ uid }) => uid));
  return after.filter((owner) => blocks(owner) && !blocked.has(owner["uid"]));
}

function blocks(owner: JsonObject): boolean {
  return owner["blockOwnerDeletion"] === true;
}

function checkBlocking(
  request: AdmissionRequest,
  owners: readonly JsonObject[],
  options: OwnerReferencesOptions,
): void {
  if (owners.length === 0 || mayFinalize(request, options, everything).allowed) return;
  for (const owner of owners) {
    const apiVersion = textAt(owner, "apiVersion");
    const [group = "", version = ""] = apiVersion.includes("/") ? apiVersion.split("/") : ["", apiVersion];
    const kind = textAt(owner, "kind");
    const resource = options.registry.findKind(group, version, kind);
    if (resource === undefined)
      throw rejected(
        request,
        `cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion ${apiVersion} Kind ${kind}: no matches for kind "${kind}" in version "${apiVersion}"`,
      );
    // A namespaced owner is in the namespace of its dependent.
    const namespace = resource.namespaced ? request.namespace : "";
    const { allowed, reason } = mayFinalize(request, options, {
      group,
      resource: resource.plural,
      namespace,
      name: textAt(owner, "name"),
    });
    if (!allowed)
      throw rejected(
        request,
        `cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on: ${reason}, <nil>`,
      );
  }
}

type Owners = Pick<AccessAttributes & { readonly kind: "resource" }, "group" | "resource" | "namespace" | "name">;

const everything: Owners = { group: "*", resource: "*", namespace: "", name: "*" };

function mayFinalize({ user }: AdmissionRequest, { authorizer }: OwnerReferencesOptions, owners: Owners): Decision {
  return authorizer.authorize(user, { kind: "resource", verb: "update", subresource: "finalizers", ...owners });
}
