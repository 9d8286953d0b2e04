import { createHash } from "node:crypto";
import { OperatorError } from "@kubewright/core/errors";
import type { Authenticator } from "./authenticator.js";
import { authenticatedUser, type User } from "./user.js";

/** A bearer token of a user, valid as long as the cluster runs. */
export interface TokenUser {
  readonly token: string;
  readonly user: string;
  /** @default none */
  readonly uid?: string;
  /** `system:authenticated` is added. @default none */
  readonly groups?: readonly string[];
}

/** Authenticates bearer tokens of users, for the API server only. */
export function staticTokens(users: Iterable<readonly [token: string, user: User]>): Authenticator {
  // By hash: a lookup takes the same time however much of a token is right.
  const byDigest = new Map([...users].map(([token, user]) => [digest(token), user]));
  return {
    authenticate({ bearerToken }) {
      const user = bearerToken === undefined ? undefined : byDigest.get(digest(bearerToken));
      return user === undefined ? { kind: "none" } : { kind: "user", user };
    },
  };
}

function digest(token: string): string {
  return createHash("sha256").update(token).digest("base64");
}

/** The users of tokens. Throws CONFIG_INVALID for an empty token or name, and for a token of two users. */
export function tokenUsers(given: readonly TokenUser[]): ReadonlyMap<string, User> {
  const users = new Map<string, User>();
  for (const [index, { token, user, uid = "", groups = [] }] of given.entries()) {
    const fail = (why: string): OperatorError =>
      new OperatorError("CONFIG_INVALID", `Cannot use token ${index + 1}: ${why}`);
    if (token === "") throw fail("it is empty");
    if (user === "") throw fail("it has no user name");
    if (users.has(token)) throw fail(`it is the token of user "${users.get(token)?.name}" too`);
    users.set(token, authenticatedUser(user, groups, { uid }));
  }
  return users;
}

/**
 * Reads the file of kube-apiserver's `--token-auth-file`: lines of `token,user,uid,"group1,group2"`, the groups optional. Throws CONFIG_INVALID, with the line.
 */
export function parseTokenFile(text: string): TokenUser[] {
  return text.split(/\r?\n/).flatMap((line, index) => {
    if (line.trim() === "") return [];
    const [token = "", user, uid, groups = "", ...rest] = csvFields(line);
    if (user === undefined || uid === undefined || rest.length > 0)
      throw new OperatorError(
        "CONFIG_INVALID",
        `Cannot read line ${index + 1} of the token file: it must have the columns token, user name, uid, and optionally "group1,group2"`,
      );
    const names = groups.split(",").map((group) => group.trim());
    return [{ token, user, uid, groups: names.filter((group) => group !== "") }];
  });
}

/** Fields of one line of CSV; quotes within quotes are doubled. */
function csvFields(line: string): string[] {
  return [...line.matchAll(/(?:^|,)\s*(?:"((?:[^"]|"")*)"|([^",]*))\s*(?=,|$)/g)].map(([, quoted, plain = ""]) =>
    quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'),
  );
}
