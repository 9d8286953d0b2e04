import { createHash, timingSafeEqual } from "node:crypto";
import type { Authenticator } from "./authenticator.js";
import type { User } from "./user.js";

/** Authenticates one bearer token as one user. */
export function staticToken(token: string, user: User): Authenticator {
  const expected = digest(token);
  return {
    authenticate({ bearerToken }) {
      if (bearerToken === undefined) return { kind: "none" };
      const isEqual = timingSafeEqual(digest(bearerToken), expected);
      return isEqual ? { kind: "user", user } : { kind: "error", why: "invalid bearer token" };
    },
  };
}

/** Hashes to equal lengths, for a constant-time comparison. */
function digest(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
