import { type ApiFailure, badRequest } from "./api-failure.js";

/** The start of the next page of a list, and its snapshot. */
export interface ContinuePoint {
  /** -1 if the snapshot was compacted: the list continues, inconsistently, at the latest revision. */
  readonly revision: number;
  /** The first key of the page, relative to the namespace, with a leading slash. */
  readonly start: string;
}

/** The continue token in kube-apiserver's format: unpadded base64url of a JSON object. */
export function encodeContinue(revision: number, start: string): string {
  return Buffer.from(JSON.stringify({ v: "meta.k8s.io/v1", rv: revision, start }), "utf8").toString("base64url");
}

/** The inverse of {@link encodeContinue}; throws kube-apiserver's 400 for an invalid token. */
export function decodeContinue(token: string): ContinuePoint {
  const value = parseToken(token);
  const { v = "", rv = 0, start = "" } = value;
  if (typeof v !== "string") throw notValid(`: ${wrongType(v, "v", "string")}`);
  if (typeof rv !== "number" || !Number.isSafeInteger(rv)) throw notValid(`: ${wrongType(rv, "rv", "int64")}`);
  if (typeof start !== "string") throw notValid(`: ${wrongType(start, "start", "string")}`);
  if (v !== "meta.k8s.io/v1") throw notValid(`: server does not recognize this encoded version ${v}`);
  if (rv === 0) throw notValid(": incorrect encoded start resourceVersion (version meta.k8s.io/v1)");
  if (start === "") throw notValid(": encoded start key empty (version meta.k8s.io/v1)");
  const key = start.startsWith("/") ? start : `/${start}`;
  // No path traversal: the key must stay below its prefix.
  const parts = key.slice(1).split("/");
  if (key !== "/" && parts.some((part) => part === "" || part === "." || part === "..")) throw notValid(`: ${start}`);
  return { revision: rv, start: key };
}

function parseToken(token: string): { readonly v?: unknown; readonly rv?: unknown; readonly start?: unknown } {
  const illegal = /[^A-Za-z0-9_-]/.exec(token);
  if (illegal || token.length % 4 === 1)
    throw notValid(`: illegal base64 data at input byte ${illegal ? illegal.index : token.length - 1}`);
  const bytes = Buffer.from(token, "base64url");
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString("utf8"));
  } catch {
    // Go reports the first byte, not the first character.
    const first = bytes.toString("latin1").trimStart()[0];
    throw notValid(
      first === undefined || /[[{"\dtfn-]/.test(first)
        ? ": unexpected end of JSON input"
        : `: invalid character '${quotedCharacter(first)}' looking for beginning of value`,
    );
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw notValid(`: json: cannot unmarshal ${goKind(value)} into Go value of type storage.continueToken`);
  return value;
}

function quotedCharacter(character: string): string {
  const code = character.charCodeAt(0);
  const isControl = code < 0x20 || (code >= 0x7f && code < 0xa0);
  return isControl ? `\\u${code.toString(16).padStart(4, "0")}` : character;
}

function notValid(why: string): ApiFailure {
  return badRequest(`invalid continue token: continue key is not valid${why}`);
}

function wrongType(value: unknown, field: string, type: string): string {
  const given = typeof value === "number" ? `number ${value}` : goKind(value);
  return `json: cannot unmarshal ${given} into Go struct field continueToken.${field} of type ${type}`;
}

function goKind(value: unknown): string {
  if (Array.isArray(value)) return "array";
  return typeof value === "boolean" ? "bool" : typeof value;
}
