import { isJsonObject, type JsonObject } from "@kubewright/core/json";
import type { Change, Store } from "../../storage/index.js";
import type {
  AccessAttributes,
  AccessRules,
  Decision,
  HeldRules,
  PolicyRule,
  RoleAuthorizer,
  RoleRef,
} from "../authorizer.js";
import type { User } from "../user.js";
import { type AppliedBinding, type Binding, bindingOf, SubjectIndex } from "./subject-index.js";
import { type Grant, joinErrors, UserRules } from "./user-rules.js";

const rolesBucket = "roles.rbac.authorization.k8s.io";
const clusterRolesBucket = "clusterroles.rbac.authorization.k8s.io";
const roleBuckets: ReadonlySet<string> = new Set([rolesBucket, clusterRolesBucket]);
const bindingKinds: ReadonlyMap<string, Binding["kind"]> = new Map([
  ["clusterrolebindings.rbac.authorization.k8s.io", "ClusterRoleBinding"],
  ["rolebindings.rbac.authorization.k8s.io", "RoleBinding"],
]);

/**
 * RBAC: allows what Roles and ClusterRoles grant by RoleBindings and ClusterRoleBindings.
 *
 * Bindings are indexed by subject; the rules of a user, and decisions by them, are cached until a role or a binding is written.
 */
export class RbacAuthorizer implements RoleAuthorizer {
  readonly #store: Store;
  /** Made with the first request that needs it: members of `system:masters` need none. */
  #index: SubjectIndex | undefined;
  #users = new WeakMap<User, UserRules>();

  /** Follows the changes of roles and bindings. */
  constructor(store: Store) {
    this.#store = store;
    store.listen((bucket, change) => this.#onChange(bucket, change));
  }

  authorize(user: User, attributes: AccessAttributes): Decision {
    const rules = this.#rulesOf(user);
    return attributes.kind === "path" ? rules.decidePath(attributes.verb, attributes.path) : rules.decide(attributes);
  }

  rules(user: User, namespace: string): AccessRules {
    const { rules, errors } = this.heldRules(user, namespace);
    return {
      resourceRules: rules
        .filter(({ resources = [] }) => resources.length > 0)
        .map(({ verbs = [], apiGroups = [], resources = [], resourceNames = [] }) => ({
          verbs,
          apiGroups,
          resources,
          ...(resourceNames.length > 0 && { resourceNames }),
        })),
      nonResourceRules: rules
        .filter(({ nonResourceURLs = [] }) => nonResourceURLs.length > 0)
        .map(({ verbs = [], nonResourceURLs = [] }) => ({ verbs, nonResourceURLs })),
      incomplete: false,
      evaluationError: errors.length === 0 ? "" : joinErrors(errors),
    };
  }

  heldRules(user: User, namespace: string): HeldRules {
    return this.#rulesOf(user).held(namespace);
  }

  rulesOf({ kind, name }: RoleRef, namespace: string): readonly PolicyRule[] | undefined {
    const record =
      kind === "Role"
        ? this.#store.bucket(rolesBucket).get(`${namespace}/${name}`)
        : this.#store.bucket(clusterRolesBucket).get(name);
    return record && storedRules(record.object);
  }

  #onChange(bucket: string, { kind, key, object }: Change): void {
    const bindingKind = bindingKinds.get(bucket);
    if (bindingKind === undefined) {
      if (roleBuckets.has(bucket)) this.#users = new WeakMap();
      return;
    }
    const id = `${bindingKind} ${key}`;
    if (kind === "delete") this.#index?.delete(id);
    else this.#index?.put(id, bindingOf(bindingKind, object));
    this.#users = new WeakMap();
  }

  #readBindings(): SubjectIndex {
    const index = new SubjectIndex();
    for (const [bucket, kind] of bindingKinds)
      for (const { key, object } of this.#store.bucket(bucket).list())
        index.put(`${kind} ${key}`, bindingOf(kind, object));
    return index;
  }

  #rulesOf(user: User): UserRules {
    const known = this.#users.get(user);
    if (known !== undefined) return known;
    const cluster: Grant[] = [];
    const byNamespace = new Map<string, Grant[]>();
    this.#index ??= this.#readBindings();
    for (const applied of this.#index.bindingsOf(user)) {
      const { namespace } = applied.binding;
      const grant = this.#grantOf(applied);
      if (namespace === "") cluster.push(grant);
      else byNamespace.set(namespace, [...(byNamespace.get(namespace) ?? []), grant]);
    }
    const rules = new UserRules(cluster, byNamespace);
    this.#users.set(user, rules);
    return rules;
  }

  #grantOf({ binding, subject }: AppliedBinding): Grant {
    const { kind, name, namespace, roleRef } = binding;
    const rules = this.rulesOf(roleRef, namespace);
    if (rules === undefined) {
      const resource = `${roleRef.kind.toLowerCase()}.rbac.authorization.k8s.io`;
      return { kind: "error", error: `${resource} ${JSON.stringify(roleRef.name)} not found` };
    }
    // kube-apiserver prints name/namespace, for bindings and ServiceAccounts.
    const who = subject.kind === "ServiceAccount" ? `${subject.name}/${subject.namespace || namespace}` : subject.name;
    const where = kind === "RoleBinding" ? `${name}/${namespace}` : name;
    const source = `${kind} ${quote(where)} of ${roleRef.kind} ${quote(roleRef.name)} to ${subject.kind} ${quote(who)}`;
    return { kind: "rules", rules, decision: { allowed: true, reason: `RBAC: allowed by ${source}` } };
  }
}

function quote(text: string): string {
  return JSON.stringify(text);
}

/** Stored roles passed validation, so their rules have these types. */
function storedRules({ rules }: JsonObject): readonly PolicyRule[] {
  return Array.isArray(rules) ? (rules.filter(isJsonObject) as unknown as readonly PolicyRule[]) : [];
}
