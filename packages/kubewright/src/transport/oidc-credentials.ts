import type { Clock } from "@kubewright/core/clock";
import { isOperatorError } from "@kubewright/core/errors";
import type { Logger } from "@kubewright/core/log";
import type { Dispatcher } from "undici";
import type { Credential, CredentialSource } from "./credential.js";
import { readKubeconfigTokens, writeKubeconfigTokens } from "./kubeconfig-tokens.js";
import { isTokenFresh, type OidcProvider, oidcError } from "./oidc-provider.js";
import { refreshOidcTokens } from "./refresh-oidc.js";

/** What renewing tokens needs. */
export interface OidcSurroundings {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /** Opens connections to the issuer; they are closed after each use. */
  readonly open: (issuerUrl: string, caCertificate: string | undefined) => Promise<Dispatcher>;
}

/**
 * The id-token of a user, renewed shortly before it expires.
 *
 * New tokens are written back to the kubeconfig, and those that another program wrote there are used. However many requests ask at once,
 * the issuer is asked once.
 */
export class OidcCredentials implements CredentialSource {
  readonly #provider: OidcProvider;
  readonly #surroundings: OidcSurroundings;
  #idToken: string;
  #refreshToken: string;
  #credential: Credential;
  #renewing: Promise<Credential> | undefined;

  constructor(provider: OidcProvider, surroundings: OidcSurroundings) {
    this.#provider = provider;
    this.#surroundings = surroundings;
    this.#idToken = provider.idToken ?? "";
    this.#refreshToken = provider.refreshToken ?? "";
    this.#credential = { authorization: `Bearer ${this.#idToken}` };
  }

  current(): Credential | Promise<Credential> {
    try {
      if (this.#isFresh(this.#idToken)) return this.#credential;
    } catch (error) {
      // Never thrown at once: whoever asks for other things at the same time must get to await those.
      return Promise.reject(error);
    }
    this.#renewing ??= this.#renewed().finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  /** As in client-go a refused token that has not expired stays: the issuer would vouch for the same user again. */
  async renew(refused: Credential): Promise<boolean> {
    return refused !== this.#credential;
  }

  #isFresh(idToken: string): boolean {
    return idToken !== "" && isTokenFresh(idToken, this.#surroundings.clock.now());
  }

  async #renewed(): Promise<Credential> {
    const { origin, issuerUrl, caCertificate } = this.#provider;
    const { open, signal, logger } = this.#surroundings;
    // kubectl may have renewed them already, and a refresh token is often good for one use only.
    const written = origin && (await readKubeconfigTokens(origin));
    if (written?.idToken !== undefined && this.#isFresh(written.idToken))
      return this.#take(written.idToken, written.refreshToken);
    const refreshToken = written?.refreshToken ?? this.#refreshToken;
    if (refreshToken === "")
      throw oidcError(issuerUrl, "the id-token is not valid any more, and there is no refresh-token; log in again");
    const dispatcher = await open(issuerUrl, caCertificate);
    try {
      const tokens = await refreshOidcTokens({ ...this.#provider, refreshToken }, dispatcher, signal);
      const credential = this.#take(tokens.idToken, tokens.refreshToken ?? refreshToken);
      if (origin) {
        try {
          await writeKubeconfigTokens(origin, tokens, this.#surroundings.clock);
        } catch (err) {
          // The tokens are good, so requests go on; but after a restart the old refresh token may be worth nothing.
          logger.warn(
            { err, kubeconfig: origin.file, user: origin.user },
            "New tokens could not be written to the kubeconfig",
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
