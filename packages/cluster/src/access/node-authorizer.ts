import { isJsonObject, type JsonObject } from "@kubewright/core/json";
import type { Store } from "../storage/index.js";
import type { AccessAttributes, Decision, PolicyRule, ResourceAttributes } from "./authorizer.js";
import { podReferences } from "./pod-references.js";
import { matchesPath, matchesResource, namesOf } from "./rbac/index.js";
import { nodeOf, nodesGroup, type User } from "./user.js";

const allowed: Decision = { allowed: true, reason: "" };
const readVerbs = ["get", "list", "watch"];
const ownedVerbs = ["get", "create", "update", "patch", "delete"];

/** What one resource allows a node; undefined leaves the request to the static rules. */
type NodeRule = (node: string, attributes: ResourceAttributes) => Decision;

/**
 * The Node authorizer: allows a kubelet (`system:node:<name>` in `system:nodes`) its own objects, and those that Pods on its node refer to.
 * Other resources follow `rules`, those of the ClusterRole `system:node`.
 *
 * References are read from the stored Pods of the namespace for each request: kubelets request single objects, and seldom.
 */
export class NodeAuthorizer {
  readonly #store: Store;
  readonly #rules: () => readonly PolicyRule[];
  readonly #byResource: ReadonlyMap<string, NodeRule>;

  constructor(store: Store, rules: () => readonly PolicyRule[]) {
    this.#store = store;
    this.#rules = rules;
    this.#byResource = new Map<string, NodeRule>([
      ["secrets", (node, one) => this.#readNamespaced(node, one)],
      ["configmaps", (node, one) => this.#readNamespaced(node, one)],
      ["persistentvolumeclaims", (node, one) => this.#claim(node, one)],
      ["persistentvolumes", (node, one) => this.#getRelated(node, one)],
      ["resourceclaims.resource.k8s.io", (node, one) => this.#getRelated(node, one)],
      ["volumeattachments.storage.k8s.io", (node, one) => this.#getRelated(node, one)],
      ["serviceaccounts", (node, one) => this.#account(node, one)],
      ["leases.coordination.k8s.io", lease],
      ["csinodes.storage.k8s.io", csiNode],
      ["resourceslices.resource.k8s.io", (node, one) => this.#slice(node, one)],
      ["nodes", nodeObject],
      ["pods", (node, one) => this.#pod(node, one)],
    ]);
  }

  /** The decision about a request of a node; undefined for other users. */
  authorize(user: User, attributes: AccessAttributes): Decision | undefined {
    const node = nodeOf(user.name);
    if (node === undefined || !user.groups.includes(nodesGroup)) return undefined;
    if (node === "") return denied(`unknown node for user ${JSON.stringify(user.name)}`);
    if (attributes.kind === "path")
      return this.#rules().some((rule) => matchesPath(rule, attributes.verb, attributes.path)) ? allowed : denied();
    const { group, resource } = attributes;
    const rule = this.#byResource.get(group === "" ? resource : `${resource}.${group}`);
    if (rule) return rule(node, attributes);
    const isAllowed = this.#rules().some(
      (one) => matchesResource(one, attributes) && (namesOf(one)?.includes(attributes.name) ?? true),
    );
    return isAllowed ? allowed : denied();
  }

  #readNamespaced(node: string, attributes: ResourceAttributes): Decision {
    if (!readVerbs.includes(attributes.verb)) return denied("can only read resources of this type");
    if (attributes.subresource !== "") return denied("cannot read subresource");
    if (attributes.namespace === "") return denied("can only read namespaced object of this type");
    return this.#related(node, attributes);
  }

  #getRelated(node: string, attributes: ResourceAttributes): Decision {
    if (attributes.verb !== "get") return denied("can only get individual resources of this type");
    if (attributes.subresource !== "") return denied("cannot get subresource");
    return this.#related(node, attributes);
  }

  #claim(node: string, attributes: ResourceAttributes): Decision {
    if (attributes.subresource !== "status") return this.#getRelated(node, attributes);
    if (attributes.verb !== "update" && attributes.verb !== "patch")
      return denied("can only get/update/patch this type");
    return this.#related(node, attributes);
  }

  #account(node: string, attributes: ResourceAttributes): Decision {
    const { verb, subresource, name } = attributes;
    if (verb === "get" && subresource === "") return this.#readNamespaced(node, attributes);
    if (verb !== "create" || name === "") return denied("can only create tokens for individual service accounts");
    if (subresource !== "token") return denied("can only create token subresource of serviceaccount");
    return this.#related(node, attributes);
  }

  #slice(node: string, attributes: ResourceAttributes): Decision {
    const { verb, subresource, fields } = attributes;
    if (subresource !== "") return denied("cannot authorize ResourceSlice subresources");
    if (verb === "create") return allowed;
    if (["get", "update", "patch", "delete"].includes(verb)) return this.#related(node, attributes);
    if (!["watch", "list", "deletecollection"].includes(verb))
      return denied(
        "only the following verbs are allowed for a ResourceSlice: get, watch, list, create, update, patch, delete, deletecollection",
      );
    return fields?.["spec.nodeName"] === node
      ? allowed
      : denied("can only list/watch/deletecollection resourceslices with nodeName field selector");
  }

  #pod(node: string, attributes: ResourceAttributes): Decision {
    const { verb, subresource, name, fields } = attributes;
    const updates = verb === "update" || verb === "patch";
    if (subresource === "status") return updates ? allowed : denied();
    if (subresource === "eviction") return verb === "create" ? allowed : denied();
    if (subresource !== "") return denied();
    if (verb === "get") return this.#related(node, attributes);
    if (verb === "create" || verb === "delete") return allowed;
    if (verb !== "list" && verb !== "watch") return denied();
    if (fields?.["spec.nodeName"] === node) return allowed;
    return name === ""
      ? denied("can only list/watch pods with spec.nodeName field selector")
      : this.#related(node, attributes);
  }

  /** Allows an object that belongs to the node, or that a Pod on it refers to. */
  #related(node: string, { resource, namespace, name }: ResourceAttributes): Decision {
    if (name === "") return denied("No Object name found");
    return this.#isRelated(node, { resource, namespace, name })
      ? allowed
      : denied(`no relationship found between node '${node}' and this object`);
  }

  #isRelated(
    node: string,
    { resource, namespace, name }: Pick<ResourceAttributes, "resource" | "namespace" | "name">,
  ): boolean {
    switch (resource) {
      case "pods":
        return this.#podsOf(node, namespace).some((pod) => text(pod, "metadata", "name") === name);
      case "persistentvolumes": {
        const volume = this.#store.bucket("persistentvolumes").get(name)?.object;
        const claim = volume && {
          namespace: text(volume, "spec", "claimRef", "namespace"),
          name: text(volume, "spec", "claimRef", "name"),
        };
        return claim !== undefined && this.#isRelated(node, { resource: "persistentvolumeclaims", ...claim });
      }
      case "volumeattachments":
        return (
          text(this.#store.bucket("volumeattachments.storage.k8s.io").get(name)?.object, "spec", "nodeName") === node
        );
      case "resourceslices":
        return (
          text(this.#store.bucket("resourceslices.resource.k8s.io").get(name)?.object, "spec", "nodeName") === node
        );
      default:
        return this.#podsOf(node, namespace).some((pod) => podReferences(pod).has(`${resource}/${name}`));
    }
  }

  #podsOf(node: string, namespace: string): JsonObject[] {
    return this.#store
      .bucket("pods")
      .list(`${namespace}/`)
      .map(({ object }) => object)
      .filter((pod) => text(pod, "spec", "nodeName") === node);
  }
}

function denied(reason = ""): Decision {
  return { allowed: false, reason };
}

function lease(node: string, { verb, namespace, name }: ResourceAttributes): Decision {
  if (!ownedVerbs.includes(verb)) return denied("can only get, create, update, patch, or delete a node lease");
  if (namespace !== "kube-node-lease")
    return denied('can only access leases in the "kube-node-lease" system namespace');
  const isOwn = verb === "create" || name === node;
  return isOwn ? allowed : denied("can only access node lease with the same name as the requesting node");
}

function csiNode(node: string, { verb, subresource, name }: ResourceAttributes): Decision {
  if (!ownedVerbs.includes(verb)) return denied("can only get, create, update, patch, or delete a CSINode");
  if (subresource !== "") return denied("cannot authorize CSINode subresources");
  const isOwn = verb === "create" || name === node;
  return isOwn ? allowed : denied("can only access CSINode with the same name as the requesting node");
}

/** Creates and updates are limited to the node's own object by NodeRestriction, an admission plugin. */
function nodeObject(node: string, { verb, subresource, name }: ResourceAttributes): Decision {
  const updates = verb === "update" || verb === "patch";
  if (subresource === "status") return updates ? allowed : denied();
  if (subresource !== "") return denied();
  if (updates || verb === "create") return allowed;
  if (!readVerbs.includes(verb)) return denied();
  if (name === node) return allowed;
  return denied(
    name === ""
      ? `node '${node}' cannot read all nodes, only its own Node object`
      : `node '${node}' cannot read '${name}', only its own Node object`,
  );
}

function text(object: JsonObject | undefined, ...path: readonly string[]): string {
  let value: unknown = object;
  for (const part of path) value = isJsonObject(value) ? value[part] : undefined;
  return typeof value === "string" ? value : "";
}
