import { OperatorError } from "@kubewright/core/errors";

/** Another user that requests act as; the own user needs the permission to impersonate it. */
export interface Impersonation {
  readonly user: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  /** Anything else that authenticators say about a user, for instance scopes. */
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** What RFC 9110 lets stand in the name of a header, without `%`, which begins an escape. */
const plainNameByte = /[!#$&'*+.^_`|~0-9A-Za-z-]/;

/**
 * The headers that carry an impersonation: names and values in turn.
 *
 * Keys of `extra` are escaped as Kubernetes expects. Throws CONFIG_INVALID for a value that would break the header, and for groups, uid
 * or extra without a user.
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

/** Headers are bytes: what is not ASCII travels as UTF-8, one character per byte. */
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
