import { OperatorError } from "@kubewright/core/errors";

/** The user that requests impersonate. The authenticated user needs the verb `impersonate` for it. */
export interface Impersonation {
  readonly user: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  /** Extra attributes of the user, for instance scopes. */
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** The characters of a header name (RFC 9110), without `%`, which starts an escape. */
const plainNameByte = /[!#$&'*+.^_`|~0-9A-Za-z-]/;

/**
 * Returns the `Impersonate-*` headers: names and values in turn.
 *
 * Keys of `extra` are percent-encoded as Kubernetes expects. Throws CONFIG_INVALID for a value with control characters, and for groups, uid or
 * extra without a user.
 */
export function impersonationHeaders({ user, uid = "", groups = [], extra = {} }: Impersonation): string[] {
  if (user === "") throw invalid("uid, groups and extra need a user");
  const headers = ["impersonate-user", headerValue(user)];
  if (uid !== "") headers.push("impersonate-uid", headerValue(uid));
  for (const group of groups) headers.push("impersonate-group", headerValue(group));
  for (const [key, values] of Object.entries(extra)) {
    if (key === "") throw invalid("a key of the extra values is empty");
    for (const value of values) headers.push(`impersonate-extra-${escapeName(key)}`, headerValue(value));
  }
  return headers;
}

/** Non-ASCII values are sent as UTF-8, one character per byte. */
function headerValue(text: string): string {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || code === 0x7f) throw invalid(`${JSON.stringify(text)} has a control character`);
  }
  return Buffer.from(text, "utf8").toString("latin1");
}

function escapeName(key: string): string {
  let name = "";
  for (const byte of Buffer.from(key, "utf8")) {
    const character = String.fromCharCode(byte);
    name += plainNameByte.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return name;
}

function invalid(why: string): OperatorError {
  return new OperatorError("CONFIG_INVALID", `Cannot impersonate a user: ${why}`);
}
