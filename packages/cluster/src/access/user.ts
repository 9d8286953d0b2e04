/** The authenticated user of a request. Admission, audit and access reviews see the same value. */
export interface User {
  readonly name: string;
  /** Empty if the authenticator provides none. */
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** The group of every authenticated user. */
export const authenticatedGroup = "system:authenticated";

/** The group of the anonymous user. */
export const unauthenticatedGroup = "system:unauthenticated";

/** The group whose members may do everything, regardless of RBAC. */
export const mastersGroup = "system:masters";

/** The group of kubelets. */
export const nodesGroup = "system:nodes";

const nodePrefix = "system:node:";
const accountPattern = /^system:serviceaccount:([^:]+):([^:]+)$/;

/** Makes a user with these groups and `system:authenticated`. */
export function authenticatedUser(name: string, groups: readonly string[], rest: Partial<User> = {}): User {
  const all = groups.includes(authenticatedGroup) ? groups : [...groups, authenticatedGroup];
  return { name, uid: "", extra: {}, ...rest, groups: all };
}

/** The user name of a ServiceAccount. */
export function serviceAccountName(namespace: string, name: string): string {
  return `system:serviceaccount:${namespace}:${name}`;
}

/** The groups of a ServiceAccount, without `system:authenticated`. */
export function serviceAccountGroups(namespace: string): readonly string[] {
  return ["system:serviceaccounts", `system:serviceaccounts:${namespace}`];
}

/** The ServiceAccount of a user name; undefined for other users. */
export function serviceAccountOf(user: string): { readonly namespace: string; readonly name: string } | undefined {
  const [, namespace = "", name = ""] = accountPattern.exec(user) ?? [];
  return namespace === "" ? undefined : { namespace, name };
}

/** The user of a ServiceAccount. */
export function serviceAccountUser(namespace: string, name: string, rest: Partial<User> = {}): User {
  return authenticatedUser(serviceAccountName(namespace, name), serviceAccountGroups(namespace), rest);
}

/** The user of a node's kubelet. */
export function nodeUser(name: string): User {
  return authenticatedUser(`${nodePrefix}${name}`, [nodesGroup]);
}

/** The node of a user name; undefined for other users. */
export function nodeOf(user: string): string | undefined {
  return user.startsWith(nodePrefix) ? user.slice(nodePrefix.length) : undefined;
}

/** The user of requests without credentials. */
export const anonymousUser: User = { name: "system:anonymous", uid: "", groups: [unauthenticatedGroup], extra: {} };

/** The administrator of the cluster: the user of in-process requests, of the admin token and of the admin certificate. */
export const administrator: User = authenticatedUser("admin", [mastersGroup]);
