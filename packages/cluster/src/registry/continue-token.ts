import { badRequest } from "./api-failure.js";

/** Where the next page of a list begins, and in which snapshot. */
export interface ContinuePoint {
  /** -1 when the snapshot is gone and the rest comes from the present state. */
  readonly revision: number;
  /** The first key that may come, relative to the namespace, with a leading slash. */
  readonly start: string;
}

/** The token of a real server: unpadded base64url of a small JSON object. */
export function encodeContinue(revision: number, start: string): string {
  return Buffer.from(JSON.stringify({ v: "meta.k8s.io/v1", rv: revision, start }), "utf8").toString("base64url");
}

/** The inverse of {@link encodeContinue}; throws a 400 for anything else. */
export function decodeContinue(token: string): ContinuePoint {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(token, "base64url").toString("utf8"));
  } catch {
    throw badRequest("invalid continue token: continue key is not valid: it is no JSON");
  }
  if (typeof value !== "object" || value === null || !("v" in value) || value.v !== "meta.k8s.io/v1")
    throw badRequest(
      "invalid continue token: continue key is not valid: server does not recognize this encoded version",
    );
  const { rv, start } = value as { rv?: unknown; start?: unknown };
  if (typeof rv !== "number" || !Number.isSafeInteger(rv) || rv === 0)
    throw badRequest("invalid continue token: continue key is not valid: incorrect encoded start resourceVersion");
  if (typeof start !== "string" || !start.startsWith("/"))
    throw badRequest("invalid continue token: continue key is not valid: encoded start key empty");
  return { revision: rv, start };
}
