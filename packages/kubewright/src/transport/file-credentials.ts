import type { Clock } from "@kubewright/core/clock";
import type { ClientCertificate } from "./connection.js";
import { type Credential, type CredentialSource, fixedCredential } from "./credential.js";
import { RotatingFile } from "./rotating-file.js";

/** The token in a file, which is replaced while the program runs. */
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

  async renew(refused: Credential): Promise<boolean> {
    this.#file.suspect();
    return (await this.current()) !== refused;
  }

  #of(token: string): Credential {
    if (token !== this.#token) {
      this.#token = token;
      this.#credential = { authorization: `Bearer ${token}` };
    }
    return this.#credential;
  }
}

/** A client certificate; read again when it came from files and those change. */
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

  async renew(refused: Credential): Promise<boolean> {
    this.#certificateFile.suspect();
    this.#keyFile.suspect();
    return (await this.current()) !== refused;
  }

  async #read(certificate: string, key: string): Promise<Credential> {
    const { belongTogether } = await import("./check-client-certificate.js");
    if (certificate === this.#certificate && key === this.#key) return this.#credential;
    if (belongTogether({ certificate, key })) {
      this.#certificate = certificate;
      this.#key = key;
      this.#credential = { clientCertificate: { certificate, key } };
    } else {
      // Two files are never replaced at once: half a pair must not take the place of a whole one. Look again with the next request.
      this.#certificateFile.suspect();
      this.#keyFile.suspect();
    }
    return this.#credential;
  }
}
