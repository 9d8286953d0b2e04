import type { JsonObject } from "@kubewright/core/json";

/** Puts a signature under claims: gives a JSON Web Token. */
export interface TokenSigner {
  /** Who signs, and whom tokens are for where nobody says so. */
  readonly issuer: string;
  sign(claims: JsonObject): string;
  /** The key by which signatures are checked, as a JSON Web Key. */
  publicKey(): JsonObject;
}
