import { OperatorError } from "@kubewright/core/errors";

/** The `oidc` auth-provider of a kubeconfig user. */
export interface OidcProvider {
  readonly issuerUrl: string;
  readonly clientId: string;
  readonly clientSecret?: string;
  readonly idToken?: string;
  readonly refreshToken?: string;
  /** PEM of the issuer's CA; undefined: the system's CAs. */
  readonly caCertificate?: string;
  /** The kubeconfig user to write new tokens back to; undefined: tokens are kept in memory only. */
  readonly origin?: { readonly file: string; readonly user: string };
}

/** Tokens are refreshed this long before they expire. */
const leewayMs = 10_000;

/**
 * Reports whether an id-token is valid for at least ten more seconds, by its `exp` claim. The API server verifies the signature.
 *
 * Throws CONFIG_INVALID for a token that is not a JWT.
 */
export function isTokenFresh(idToken: string, nowMs: number): boolean {
  const parts = idToken.split(".");
  let expires: unknown;
  try {
    if (parts.length !== 3) throw new SyntaxError("a JWT has three parts");
    const claims: unknown = JSON.parse(Buffer.from(parts[1] ?? "", "base64url").toString("utf8"));
    expires = typeof claims === "object" && claims !== null && "exp" in claims ? claims.exp : 0;
  } catch (cause) {
    throw new OperatorError("CONFIG_INVALID", "Cannot use the id-token of the user: it is not a JWT", { cause });
  }
  return typeof expires === "number" && nowMs + leewayMs < expires * 1_000;
}

/** Creates a CONFIG_INVALID error about an issuer. */
export function oidcError(issuerUrl: string, why: string, cause?: unknown): OperatorError {
  return new OperatorError(
    "CONFIG_INVALID",
    `Cannot get a token from the OIDC issuer "${issuerUrl}": ${why}`,
    cause === undefined ? undefined : { cause },
  );
}
