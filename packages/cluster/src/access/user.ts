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

/** The group whose members may do everything, regardless of RBAC. */
export const mastersGroup = "system:masters";

/** Makes a user with these groups and `system:authenticated`. */
export function authenticatedUser(name: string, groups: readonly string[], rest: Partial<User> = {}): User {
  const all = groups.includes(authenticatedGroup) ? groups : [...groups, authenticatedGroup];
  return { name, uid: "", extra: {}, ...rest, groups: all };
}

/** The user of requests without credentials. */
export const anonymousUser: User = { name: "system:anonymous", uid: "", groups: ["system:unauthenticated"], extra: {} };

/** The administrator of the cluster: the user of in-process requests, of the admin token and of the admin certificate. */
export const administrator: User = authenticatedUser("admin", [mastersGroup]);
