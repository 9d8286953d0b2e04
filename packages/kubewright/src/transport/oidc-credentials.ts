import type { Clock } from "@kubewright/core/clock";
import { isOperatorError } from "@kubewright/core/errors";
import type { Logger } from "@kubewright/core/log";
import type { Dispatcher } from "undici";
import type { Credential, CredentialSource } from "./credential.js";
import { readKubeconfigTokens, writeKubeconfigTokens } from "./kubeconfig-tokens.js";
import { isTokenFresh, type OidcProvider, oidcError } from "./oidc-provider.js";
import { refreshOidcTokens } from "./refresh-oidc.js";

/** Dependencies of {@link OidcCredentials}. */
export interface OidcDependencies {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /** Opens connections to the issuer; they are closed after each use. */
  readonly open: (issuerUrl: string, caCertificate: string | undefined) => Promise<Dispatcher>;
}

/**
 * The id-token of a user, refreshed shortly before it expires.
 *
 * New tokens are written back to the kubeconfig, and tokens that another process wrote there are used. Concurrent requests share one refresh.
 */
export class OidcCredentials implements CredentialSource {
  readonly #provider: OidcProvider;
  readonly #dependencies: OidcDependencies;
  #idToken: string;
  #refreshToken: string;
  #credential: Credential;
  #renewing: Promise<Credential> | undefined;

  constructor(provider: OidcProvider, dependencies: OidcDependencies) {
    this.#provider = provider;
    this.#dependencies = dependencies;
    this.#idToken = provider.idToken ?? "";
    this.#refreshToken = provider.refreshToken ?? "";
    this.#credential = { authorization: `Bearer ${this.#idToken}` };
  }

  current(): Credential | Promise<Credential> {
    try {
      if (this.#isFresh(this.#idToken)) return this.#credential;
    } catch (error) {
      // Rejects instead of throwing, so that the caller can await its other promises too.
      return Promise.reject(error);
    }
    this.#renewing ??= this.#renewed().finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  /** As in client-go, a rejected token that has not expired is kept: a refresh would authenticate the same user. */
  async renew(rejected: Credential): Promise<boolean> {
    return rejected !== this.#credential;
  }

  #isFresh(idToken: string): boolean {
    return idToken !== "" && isTokenFresh(idToken, this.#dependencies.clock.now());
  }

  async #renewed(): Promise<Credential> {
    const { origin, issuerUrl, caCertificate } = this.#provider;
    const { open, signal, logger } = this.#dependencies;
    // kubectl may have refreshed them already, and a refresh token is often single-use.
    const written = origin && (await readKubeconfigTokens(origin));
    if (written?.idToken !== undefined && this.#isFresh(written.idToken))
      return this.#take(written.idToken, written.refreshToken);
    const refreshToken = written?.refreshToken ?? this.#refreshToken;
    if (refreshToken === "")
      throw oidcError(issuerUrl, "the id-token has expired, and there is no refresh-token; log in again");
    const dispatcher = await open(issuerUrl, caCertificate);
    try {
      const tokens = await refreshOidcTokens({ ...this.#provider, refreshToken }, dispatcher, signal);
      const credential = this.#take(tokens.idToken, tokens.refreshToken ?? refreshToken);
      if (origin) {
        try {
          await writeKubeconfigTokens(origin, tokens, this.#dependencies.clock);
        } catch (err) {
          // The tokens are valid, so requests continue; after a restart the old refresh token may be invalid.
          logger.warn(
            { err, kubeconfig: origin.file, user: origin.user },
            "Cannot write new OIDC tokens to the kubeconfig",
          );
        }
      }
      return credential;
    } catch (error) {
      if (isOperatorError(error)) throw error;
      throw oidcError(issuerUrl, error instanceof Error ? error.message : String(error), error);
    } finally {
      await dispatcher.destroy();
    }
  }

  #take(idToken: string, refreshToken: string | undefined): Credential {
    this.#idToken = idToken;
    this.#refreshToken = refreshToken ?? this.#refreshToken;
    this.#credential = { authorization: `Bearer ${idToken}` };
    return this.#credential;
  }
}
