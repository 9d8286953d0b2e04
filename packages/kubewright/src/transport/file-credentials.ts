import type { Clock } from "@kubewright/core/clock";
import type { ClientCertificate } from "./connection.js";
import { type Credential, type CredentialSource, fixedCredential } from "./credential.js";
import { RotatingFile } from "./rotating-file.js";

/** A token in a file that is rotated while the process runs, such as a projected service account token. */
export class TokenFileCredentials implements CredentialSource {
  readonly #file: RotatingFile;
  #token = "";
  #credential: Credential = {};

  constructor({ path, token }: { path: string; token?: string | undefined }, clock: Clock) {
    this.#file = new RotatingFile(path, { what: "token file", clock, text: token });
  }

  current(): Credential | Promise<Credential> {
    const token = this.#file.current();
    return typeof token === "string" ? this.#of(token) : token.then((text) => this.#of(text));
  }

  async renew(rejected: Credential): Promise<boolean> {
    this.#file.invalidate();
    return (await this.current()) !== rejected;
  }

  #of(token: string): Credential {
    if (token !== this.#token) {
      this.#token = token;
      this.#credential = { authorization: `Bearer ${token}` };
    }
    return this.#credential;
  }
}

/** A client certificate; reloaded from its files when they change. */
export function certificateCredentials(given: ClientCertificate, clock: Clock): CredentialSource {
  const { certificate, key, certificateFile, keyFile } = given;
  return certificateFile === undefined || keyFile === undefined
    ? fixedCredential({ clientCertificate: { certificate, key } })
    : new CertificateFileCredentials({ ...given, certificateFile, keyFile }, clock);
}

class CertificateFileCredentials implements CredentialSource {
  readonly #certificateFile: RotatingFile;
  readonly #keyFile: RotatingFile;
  #certificate: string;
  #key: string;
  #credential: Credential;

  constructor(given: Required<ClientCertificate>, clock: Clock) {
    this.#certificate = given.certificate.trim();
    this.#key = given.key.trim();
    this.#credential = { clientCertificate: { certificate: given.certificate, key: given.key } };
    this.#certificateFile = new RotatingFile(given.certificateFile, {
      what: "client certificate",
      clock,
      text: this.#certificate,
    });
    this.#keyFile = new RotatingFile(given.keyFile, { what: "client key", clock, text: this.#key });
  }

  current(): Credential | Promise<Credential> {
    const certificate = this.#certificateFile.current();
    const key = this.#keyFile.current();
    return typeof certificate === "string" && typeof key === "string"
      ? this.#credential
      : Promise.all([certificate, key]).then((pair) => this.#read(...pair));
  }

  async renew(rejected: Credential): Promise<boolean> {
    this.#certificateFile.invalidate();
    this.#keyFile.invalidate();
    return (await this.current()) !== rejected;
  }

  async #read(certificate: string, key: string): Promise<Credential> {
    const { isMatchingPair } = await import("./check-client-certificate.js");
    if (certificate === this.#certificate && key === this.#key) return this.#credential;
    if (isMatchingPair({ certificate, key })) {
      this.#certificate = certificate;
      this.#key = key;
      this.#credential = { clientCertificate: { certificate, key } };
    } else {
      // The two files are not replaced atomically: keep the old pair and check again with the next request.
      this.#certificateFile.invalidate();
      this.#keyFile.invalidate();
    }
    return this.#credential;
  }
}
