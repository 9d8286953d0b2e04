import type { Credential, CredentialSource } from "./credential.js";

/** Combines the authorization header of one source with the client certificate of another. */
export class CombinedCredentials implements CredentialSource {
  readonly #header: CredentialSource;
  readonly #certificate: CredentialSource;
  #parts: readonly [Credential, Credential] | undefined;
  #credential: Credential = {};

  constructor(header: CredentialSource, certificate: CredentialSource) {
    this.#header = header;
    this.#certificate = certificate;
  }

  current(): Credential | Promise<Credential> {
    const header = this.#header.current();
    const certificate = this.#certificate.current();
    return header instanceof Promise || certificate instanceof Promise
      ? Promise.all([header, certificate]).then((parts) => this.#of(...parts))
      : this.#of(header, certificate);
  }

  async renew(rejected: Credential): Promise<boolean> {
    if (this.#parts === undefined || this.#credential !== rejected) return true;
    const [header, certificate] = this.#parts;
    const renewed = await Promise.all([this.#header.renew(header), this.#certificate.renew(certificate)]);
    return renewed.includes(true);
  }

  #of(header: Credential, certificate: Credential): Credential {
    if (this.#parts?.[0] !== header || this.#parts[1] !== certificate) {
      this.#parts = [header, certificate];
      this.#credential = { ...header, ...certificate };
    }
    return this.#credential;
  }
}
