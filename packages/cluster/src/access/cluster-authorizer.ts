import type { Store } from "../storage/index.js";
import type {
  AccessAttributes,
  AccessRules,
  Decision,
  HeldRules,
  PolicyRule,
  RoleAuthorizer,
  RoleRef,
} from "./authorizer.js";
import { NodeAuthorizer } from "./node-authorizer.js";
import { RbacAuthorizer } from "./rbac/index.js";
import { mastersGroup, nodeOf, nodesGroup, type User } from "./user.js";

const allowed: Decision = { allowed: true, reason: "" };

/** The authorizers of a cluster in kube-apiserver's order: `system:masters` may do everything, then Node and RBAC (`--authorization-mode=Node,RBAC`). */
export class ClusterAuthorizer implements RoleAuthorizer {
  readonly #node: NodeAuthorizer;
  readonly #rbac: RbacAuthorizer;

  /** `nodeRules` are the static rules of nodes. */
  constructor(store: Store, nodeRules: () => readonly PolicyRule[]) {
    this.#node = new NodeAuthorizer(store, nodeRules);
    this.#rbac = new RbacAuthorizer(store);
  }

  authorize(user: User, attributes: AccessAttributes): Decision {
    if (user.groups.includes(mastersGroup)) return allowed;
    const ofNode = this.#node.authorize(user, attributes);
    if (ofNode?.allowed === true) return ofNode;
    const decision = this.#rbac.authorize(user, attributes);
    if (decision.allowed || ofNode === undefined || ofNode.reason === "") return decision;
    const reasons = [ofNode.reason, decision.reason].filter((reason) => reason !== "");
    return { allowed: false, reason: reasons.join("\n") };
  }

  rules(user: User, namespace: string): AccessRules {
    const rules = this.#rbac.rules(user, namespace);
    if (nodeOf(user.name) === undefined || !user.groups.includes(nodesGroup)) return rules;
    const errors = ["node authorizer does not support user rule resolution", rules.evaluationError];
    return { ...rules, incomplete: true, evaluationError: errors.filter((error) => error !== "").join(", ") };
  }

  heldRules(user: User, namespace: string): HeldRules {
    return this.#rbac.heldRules(user, namespace);
  }

  rulesOf(roleRef: RoleRef, namespace: string): readonly PolicyRule[] | undefined {
    return this.#rbac.rulesOf(roleRef, namespace);
  }
}
