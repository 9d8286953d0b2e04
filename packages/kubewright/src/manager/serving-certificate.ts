import { hostname } from "node:os";
import { CertificateAuthority } from "@kubewright/core/certificates";
import type { Clock } from "@kubewright/core/clock";
import type { Logger } from "@kubewright/core/log";
import { type CertificatePair, readCertificatePair } from "../serving/index.js";

/** How often the files are checked at most. */
const lookEveryMs = 10_000;

/**
 * The certificate of a server: `tls.crt` and `tls.key` of a directory, such as a mounted Secret of type `kubernetes.io/tls`, or a self-signed one.
 *
 * Files are checked when a client connects. A new pair that cannot be used is logged, and the old one stays.
 */
export class ServingCertificate {
  readonly #folder: string | undefined;
  readonly #clock: Clock;
  readonly #log: Logger;
  #current: CertificatePair | undefined;
  #lookAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: { readonly folder: string | undefined; readonly clock: Clock; readonly logger: Logger }) {
    this.#folder = options.folder;
    this.#clock = options.clock;
    this.#log = options.logger;
  }

  /** The first pair. Rejects with CONFIG_INVALID when the directory has none. */
  async load(): Promise<CertificatePair> {
    this.#current ??= this.#folder === undefined ? selfMade() : await readCertificatePair(this.#folder);
    this.#lookAtMs = this.#clock.monotonic() + lookEveryMs;
    return this.#current;
  }

  /** Calls `use` with a pair that is newer than the last one, when there is one; `use` throws when it rejects the pair. */
  renew(use: (pair: CertificatePair) => void): void {
    if (this.#folder === undefined || this.#clock.monotonic() < this.#lookAtMs) return;
    this.#lookAtMs = this.#clock.monotonic() + lookEveryMs;
    void this.#take(this.#folder, use).catch((err: unknown) => {
      this.#log.error({ err, folder: this.#folder }, "Cannot use the new certificate, keeping the old one");
    });
  }

  async #take(folder: string, use: (pair: CertificatePair) => void): Promise<void> {
    const pair = await readCertificatePair(folder);
    if (pair.cert === this.#current?.cert && pair.key === this.#current.key) return;
    use(pair);
    this.#current = pair;
  }
}

function selfMade(): CertificatePair {
  const authority = new CertificateAuthority("kubewright-serving");
  const hosts = ["localhost", hostname(), "127.0.0.1", "::1"];
  const { certificate, privateKey } = authority.issueServer("localhost", hosts);
  return { cert: certificate + authority.certificate, key: privateKey };
}
