import type { JsonObject } from "@kubewright/core/json";

/** Signs JWT claims. */
export interface TokenSigner {
  /** The `iss` claim; also the default audience. */
  readonly issuer: string;
  sign(claims: JsonObject): string;
  /** The public key that verifies signatures, as a JSON Web Key. */
  publicKey(): JsonObject;
}
