import type { User } from "./user.js";

/** A request for a resource, as RBAC rules match it. */
export interface ResourceAttributes {
  readonly kind: "resource";
  /** `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`, `impersonate` and others. */
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  /** Empty for the object itself. */
  readonly subresource: string;
  /** Empty for the cluster scope. */
  readonly namespace: string;
  /** Empty for a collection. */
  readonly name: string;
  /** Field requirements of a list, watch or deletecollection, which the Node authorizer reads. @default none */
  readonly fields?: Readonly<Record<string, string>>;
}

/** A request for a non-resource URL. */
export interface PathAttributes {
  readonly kind: "path";
  /** The HTTP method in lower case. */
  readonly verb: string;
  readonly path: string;
}

/** The attributes of a request that authorizers match. */
export type AccessAttributes = ResourceAttributes | PathAttributes;

/** Whether a request is allowed, and why. */
export interface Decision {
  readonly allowed: boolean;
  readonly reason: string;
}

/** What a user may do in a namespace, as a SelfSubjectRulesReview lists it. */
export interface AccessRules {
  readonly resourceRules: readonly {
    readonly verbs: readonly string[];
    readonly apiGroups: readonly string[];
    readonly resources: readonly string[];
    readonly resourceNames?: readonly string[];
  }[];
  readonly nonResourceRules: readonly {
    readonly verbs: readonly string[];
    readonly nonResourceURLs: readonly string[];
  }[];
  /** Whether the user may have more permissions than these. */
  readonly incomplete: boolean;
  /** Why rules could not be read; empty if all were. */
  readonly evaluationError: string;
}

/** One rule of a Role or ClusterRole, as stored. */
export interface PolicyRule {
  readonly verbs?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

/** The RBAC rules that apply to a user, and why others could not be read. */
export interface HeldRules {
  readonly rules: readonly PolicyRule[];
  readonly errors: readonly string[];
}

/** The role that a binding references. */
export interface RoleRef {
  readonly kind: string;
  readonly name: string;
}

/** Decides what users may do. */
export interface Authorizer {
  authorize(user: User, attributes: AccessAttributes): Decision;
  /** The permissions of a user in a namespace. */
  rules(user: User, namespace: string): AccessRules;
}

/** An authorizer by rules of roles, against which new roles and bindings are checked. */
export interface RoleAuthorizer extends Authorizer {
  /** The RBAC rules of a user in a namespace; in the cluster scope if it is empty. */
  heldRules(user: User, namespace: string): HeldRules;
  /** The rules of a role; undefined if it does not exist. `namespace` is that of the binding. */
  rulesOf(roleRef: RoleRef, namespace: string): readonly PolicyRule[] | undefined;
}

const allowed: Decision = { allowed: true, reason: "" };
const everything: PolicyRule = { verbs: ["*"], apiGroups: ["*"], resources: ["*"] };

/** Allows every request of every user. */
export const allowAll: RoleAuthorizer = {
  authorize: () => allowed,
  rules: () => ({
    resourceRules: [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"] }],
    nonResourceRules: [{ verbs: ["*"], nonResourceURLs: ["*"] }],
    incomplete: false,
    evaluationError: "",
  }),
  heldRules: () => ({ rules: [everything, { verbs: ["*"], nonResourceURLs: ["*"] }], errors: [] }),
  rulesOf: () => [],
};
