import type { JsonObject } from "@kubewright/core/json";

/** Puts a signature under claims: gives a JSON Web Token. */
export interface TokenSigner {
  /** The issuer, which is also the default audience. */
  readonly issuer: string;
  sign(claims: JsonObject): string;
  /** The key by which signatures are checked, as a JSON Web Key. */
  publicKey(): JsonObject;
}
