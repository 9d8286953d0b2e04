import { createHmac, timingSafeEqual } from "node:crypto";

/** The token that authorizes the Pod of one restore to fetch its snapshot: every replica of the operator derives it from the key of the storage. */
export function restoreToken(secret: string, restoreUid: string): string {
  return createHmac("sha256", secret).update(`etcd-restore ${restoreUid}`).digest("base64url");
}

/** Whether the `Authorization` header of a request has the token. */
export function isAuthorized(header: string | undefined, token: string): boolean {
  const given = Buffer.from(header ?? "");
  const expected = Buffer.from(`Bearer ${token}`);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
