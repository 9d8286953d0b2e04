/** The user of a request, as authentication found it. Admission, audit and reviews see the same value. */
export interface User {
  readonly name: string;
  /** Empty where the authenticator knows none. */
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** The group of every user that was authenticated. */
export const authenticatedGroup = "system:authenticated";

/** The group whose members may do everything, whatever other rules exist. */
export const mastersGroup = "system:masters";

/** A user with this name and these groups, which `system:authenticated` joins. */
export function authenticatedUser(name: string, groups: readonly string[], rest: Partial<User> = {}): User {
  const all = groups.includes(authenticatedGroup) ? groups : [...groups, authenticatedGroup];
  return { name, uid: "", extra: {}, ...rest, groups: all };
}

/** The user of requests without credentials. */
export const anonymousUser: User = { name: "system:anonymous", uid: "", groups: ["system:unauthenticated"], extra: {} };

/** The administrator of the cluster: the user of in-process requests, of the admin token and of the admin certificate. */
export const administrator: User = authenticatedUser("admin", [mastersGroup]);
