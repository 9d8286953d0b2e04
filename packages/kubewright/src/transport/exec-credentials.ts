import type { Credential, CredentialSource } from "./credential.js";
import type { ExecCluster, ExecPlugin } from "./exec-plugin.js";
import { type ExecDependencies, runExecPlugin } from "./run-exec-plugin.js";

/** Limits how often a plugin runs whose credentials the server keeps rejecting. */
const rejectionCooldownMs = 10_000;

/**
 * Credentials of an exec plugin, cached until they expire.
 *
 * Concurrent requests share one run of the plugin. A failed run is not cached: the next request tries again.
 */
export class ExecCredentials implements CredentialSource {
  readonly #plugin: ExecPlugin;
  readonly #cluster: () => Promise<ExecCluster>;
  readonly #dependencies: ExecDependencies;
  #credential: Credential | undefined;
  #expiresMs = Number.POSITIVE_INFINITY;
  #running: Promise<Credential> | undefined;
  #mayRenewAtMs = Number.NEGATIVE_INFINITY;

  constructor(plugin: ExecPlugin, cluster: () => Promise<ExecCluster>, dependencies: ExecDependencies) {
    this.#plugin = plugin;
    this.#cluster = cluster;
    this.#dependencies = dependencies;
  }

  current(): Credential | Promise<Credential> {
    if (this.#credential !== undefined && this.#dependencies.clock.now() <= this.#expiresMs) return this.#credential;
    return this.#run();
  }

  async renew(rejected: Credential): Promise<boolean> {
    if (this.#credential !== rejected) return true;
    const { clock } = this.#dependencies;
    if (this.#running === undefined && clock.monotonic() < this.#mayRenewAtMs) return false;
    this.#mayRenewAtMs = clock.monotonic() + rejectionCooldownMs;
    return (await this.#run()) !== rejected;
  }

  #run(): Promise<Credential> {
    this.#running ??= this.#fresh().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #fresh(): Promise<Credential> {
    const cluster = this.#plugin.provideClusterInfo ? await this.#cluster() : undefined;
    const { token, clientCertificate, expiresMs } = await runExecPlugin(this.#plugin, cluster, this.#dependencies);
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
