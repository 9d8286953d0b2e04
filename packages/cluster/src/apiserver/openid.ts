import type { TokenSigner } from "../registry/index.js";
import type { ApiResponse } from "./api-request.js";

const headers = { "cache-control": "public, max-age=3600" };

/**
 * The OpenID discovery document and the JWKS that verify ServiceAccount tokens; undefined for other paths.
 *
 * `address` is undefined if the server does not listen.
 */
export function openIdDocument(
  path: string,
  signer: TokenSigner,
  address: string | undefined,
): ApiResponse | undefined {
  if (path === "/openid/v1/jwks") {
    const body = { keys: [signer.publicKey()] };
    return { kind: "whole", status: 200, body, contentType: "application/jwk-set+json", headers };
  }
  if (path !== "/.well-known/openid-configuration") return undefined;
  const body = {
    issuer: signer.issuer,
    jwks_uri: `${address === undefined ? signer.issuer : `https://${address}`}/openid/v1/jwks`,
    response_types_supported: ["id_token"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: [String(signer.publicKey()["alg"])],
  };
  return { kind: "whole", status: 200, body, headers };
}
