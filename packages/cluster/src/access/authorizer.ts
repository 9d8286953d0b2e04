import type { User } from "./user.js";

/** The attributes of a request that RBAC rules match. */
export type AccessAttributes =
  | {
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
    }
  | { readonly kind: "path"; readonly verb: string; readonly path: string };

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
  }[];
  readonly nonResourceRules: readonly {
    readonly verbs: readonly string[];
    readonly nonResourceURLs: readonly string[];
  }[];
}

/** Decides what users may do. */
export interface Authorizer {
  authorize(user: User, attributes: AccessAttributes): Decision;
  rules(user: User, namespace: string): AccessRules;
}
