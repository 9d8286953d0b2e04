import { deepEqual, type JsonObject } from "@kubewright/core/json";
import type { ClusterRole, Role, RoleBinding } from "kubewright/k8s/rbac/v1";
import { escalationOf, mastersGroup, type PolicyRule } from "../../../access/index.js";
import { forbidden, notFound } from "../../api-failure.js";
import type { Decoded } from "../../decoded.js";
import { metadataOf, textAt } from "../../draft.js";
import type { StrategyContext } from "../../strategy.js";
import { group } from "./policy-rules.js";

/** The live object and the context of a write that grants permissions. */
interface GrantingWrite {
  /** Undefined for a create. */
  readonly old: object | undefined;
  readonly context: StrategyContext;
}

const fullAuthority: readonly PolicyRule[] = [
  { verbs: ["*"], apiGroups: ["*"], resources: ["*"] },
  { verbs: ["*"], nonResourceURLs: ["*"] },
];

/** Rejects a role whose rules the user does not hold, unless the user may `escalate` it. */
export function checkRoleGrant(
  plural: "roles" | "clusterroles",
  role: Pick<Decoded<Role>, "rules"> & Pick<Decoded<ClusterRole>, "aggregationRule">,
  { old, context }: GrantingWrite,
): void {
  const { user, namespace, name, authorizer } = context;
  if (isMaster(context) || changesOnlyOwnership(role, old)) return;
  const escalate = {
    kind: "resource",
    verb: "escalate",
    group,
    resource: plural,
    subresource: "",
    namespace,
    name,
  } as const;
  if (authorizer.authorize(user, escalate).allowed) return;
  confirmHeld(plural, role, { context, rules: (role.rules ?? []) as readonly PolicyRule[] });
  const before = (old ?? {}) as Pick<Decoded<ClusterRole>, "aggregationRule">;
  // It may gather anything, and prevents rules from being removed.
  if (hasAggregation(role) || hasAggregation(before)) {
    if (escalationOf(authorizer, { user, namespace, rules: fullAuthority }) !== undefined)
      throw rejection(plural, role, "must have cluster-admin privileges to use the aggregationRule");
  }
}

/** Rejects a binding to a role whose rules the user does not hold, unless the user may `bind` it. */
export function checkBindingGrant(
  plural: "rolebindings" | "clusterrolebindings",
  binding: Pick<Decoded<RoleBinding>, "roleRef">,
  { old, context }: GrantingWrite,
): void {
  const { user, namespace, authorizer } = context;
  if (isMaster(context) || changesOnlyOwnership(binding, old)) return;
  const { kind = "", name = "", apiGroup = "" } = binding.roleRef ?? {};
  const resource = kind === "Role" ? "roles" : "clusterroles";
  const bind = { kind: "resource", verb: "bind", group: apiGroup, resource, subresource: "", namespace, name } as const;
  if ((kind === "Role" || kind === "ClusterRole") && authorizer.authorize(user, bind).allowed) return;
  const rules = authorizer.rulesOf({ kind, name }, namespace);
  // kube-apiserver's message names the resource of the request.
  if (rules === undefined) throw notFound({ group, plural, kind: plural }, name);
  confirmHeld(plural, binding, { context, rules });
}

function isMaster({ user }: StrategyContext): boolean {
  return user.groups.includes(mastersGroup);
}

function confirmHeld(
  plural: string,
  object: object,
  { context, rules }: { readonly context: StrategyContext; readonly rules: readonly PolicyRule[] },
): void {
  const { user, namespace, authorizer } = context;
  const problem = escalationOf(authorizer, { user, namespace, rules });
  if (problem !== undefined) throw rejection(plural, object, problem);
}

function rejection(plural: string, object: object, why: string): Error {
  return forbidden({ group, plural, kind: plural }, textAt(metadataOf(object as JsonObject), "name"), why);
}

function hasAggregation({ aggregationRule }: Pick<Decoded<ClusterRole>, "aggregationRule">): boolean {
  return (aggregationRule?.clusterRoleSelectors?.length ?? 0) > 0;
}

/** Whether an update changes only what the garbage collector changes: owner references and finalizers. */
function changesOnlyOwnership(object: object, old: object | undefined): boolean {
  if (old === undefined) return false;
  return deepEqual(withoutOwnership(object as JsonObject), withoutOwnership(old as JsonObject));
}

function withoutOwnership(object: JsonObject): JsonObject {
  const { ownerReferences: _, finalizers: __, managedFields: ___, ...metadata } = metadataOf(object);
  return { ...object, metadata };
}
