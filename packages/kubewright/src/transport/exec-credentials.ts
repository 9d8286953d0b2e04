import type { Credential, CredentialSource } from "./credential.js";
import type { ExecCluster, ExecPlugin } from "./exec-plugin.js";
import { type ExecSurroundings, runExecPlugin } from "./run-exec-plugin.js";

/** A plugin that keeps giving refused credentials is not started again for each request. */
const pauseAfterRefusalMs = 10_000;

/**
 * Credentials of a plugin, kept until they expire.
 *
 * However many requests ask at once, the plugin runs once. A run that fails is not kept: the next request tries again.
 */
export class ExecCredentials implements CredentialSource {
  readonly #plugin: ExecPlugin;
  readonly #cluster: () => Promise<ExecCluster>;
  readonly #surroundings: ExecSurroundings;
  #credential: Credential | undefined;
  #expiresMs = Number.POSITIVE_INFINITY;
  #running: Promise<Credential> | undefined;
  #mayRenewAtMs = Number.NEGATIVE_INFINITY;

  constructor(plugin: ExecPlugin, cluster: () => Promise<ExecCluster>, surroundings: ExecSurroundings) {
    this.#plugin = plugin;
    this.#cluster = cluster;
    this.#surroundings = surroundings;
  }

  current(): Credential | Promise<Credential> {
    if (this.#credential !== undefined && this.#surroundings.clock.now() <= this.#expiresMs) return this.#credential;
    return this.#run();
  }

  async renew(refused: Credential): Promise<boolean> {
    if (this.#credential !== refused) return true;
    const { clock } = this.#surroundings;
    if (this.#running === undefined && clock.monotonic() < this.#mayRenewAtMs) return false;
    this.#mayRenewAtMs = clock.monotonic() + pauseAfterRefusalMs;
    return (await this.#run()) !== refused;
  }

  #run(): Promise<Credential> {
    this.#running ??= this.#fresh().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #fresh(): Promise<Credential> {
    const cluster = this.#plugin.provideClusterInfo ? await this.#cluster() : undefined;
    const { token, clientCertificate, expiresMs } = await runExecPlugin(this.#plugin, cluster, this.#surroundings);
    this.#expiresMs = expiresMs ?? Number.POSITIVE_INFINITY;
    const authorization = token === undefined ? undefined : `Bearer ${token}`;
    const old = this.#credential;
    const same =
      old !== undefined &&
      old.authorization === authorization &&
      old.clientCertificate?.certificate === clientCertificate?.certificate &&
      old.clientCertificate?.key === clientCertificate?.key;
    if (!same) {
      this.#credential = {
        ...(authorization !== undefined && { authorization }),
        ...(clientCertificate && { clientCertificate }),
      };
      this.#mayRenewAtMs = Number.NEGATIVE_INFINITY;
    }
    return this.#credential ?? {};
  }
}
