import { OperatorError } from "@kubewright/core/errors";

/** Who issues the tokens of a user: what the auth-provider `oidc` of a kubeconfig describes. */
export interface OidcProvider {
  readonly issuerUrl: string;
  readonly clientId: string;
  readonly clientSecret?: string;
  readonly idToken?: string;
  readonly refreshToken?: string;
  /** PEM of the authority that vouches for the issuer; undefined: the system's authorities. */
  readonly caCertificate?: string;
  /** The user of the kubeconfig file that new tokens are written back to; undefined: they are kept in memory only. */
  readonly origin?: { readonly file: string; readonly user: string };
}

/** A token that expires sooner is renewed, because a request takes time too. */
const leewayMs = 10_000;

/**
 * Tells whether an id-token is good for at least ten more seconds, by its own claim. Its signature is the API server's concern.
 *
 * Throws CONFIG_INVALID for what is not a JWT.
 */
export function isTokenFresh(idToken: string, nowMs: number): boolean {
  const parts = idToken.split(".");
  let expires: unknown;
  try {
    if (parts.length !== 3) throw new SyntaxError("a token has three parts");
    const claims: unknown = JSON.parse(Buffer.from(parts[1] ?? "", "base64url").toString("utf8"));
    expires = typeof claims === "object" && claims !== null && "exp" in claims ? claims.exp : 0;
  } catch (cause) {
    throw new OperatorError("CONFIG_INVALID", "Cannot use the id-token of the user: it is not a JWT", { cause });
  }
  return typeof expires === "number" && nowMs + leewayMs < expires * 1_000;
}

/** A CONFIG_INVALID error about an issuer. */
export function oidcError(issuerUrl: string, why: string, cause?: unknown): OperatorError {
  return new OperatorError(
    "CONFIG_INVALID",
    `Cannot get a token from the OIDC issuer "${issuerUrl}": ${why}`,
    cause === undefined ? undefined : { cause },
  );
}
