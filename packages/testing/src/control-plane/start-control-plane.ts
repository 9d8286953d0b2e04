import { generateKeyPairSync, randomUUID } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { get as httpGet } from "node:http";
import { get as httpsGet } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { CertificateAuthority } from "@kubewright/core/certificates";
import { OperatorError } from "@kubewright/core/errors";
import { asDuration, type Duration, durationMs } from "@kubewright/core/meta";
import { type BinaryName, findBinary } from "./binaries.js";
import { type ControlPlaneUser, kubeconfigText, type TokenUser } from "./control-plane-user.js";
import { freePorts } from "./free-port.js";
import { GuardedProcess } from "./guarded-process.js";
import { unsupportedReason } from "./platform.js";

/** How a real control plane is started. */
export interface ControlPlaneOptions {
  /** Runs kube-controller-manager: `true` for all controllers that work without nodes, or their names. @default false */
  readonly controllerManager?: boolean | readonly string[];
  /** Runs kube-scheduler. @default false */
  readonly scheduler?: boolean;
  /** Additional flags per binary, which override the default ones. @default none */
  readonly flags?: Partial<Readonly<Record<BinaryName, readonly string[]>>>;
  /** How long each binary may take to become ready. @default "20s", or KUBEBUILDER_CONTROLPLANE_START_TIMEOUT */
  readonly startTimeout?: Duration;
}

/** A real kube-apiserver with its own etcd, certificates, users and directory. */
export interface ControlPlane extends AsyncDisposable {
  readonly url: string;
  /** PEM. */
  readonly caCertificate: string;
  /** Cluster administrator (group `system:masters`). */
  readonly admin: TokenUser;
  /** Has no permissions but those that RBAC objects of the test grant to the user `restricted`. */
  readonly restricted: TokenUser;
  /** A user of any name and group with a client certificate. */
  certificateUser(name: string, group?: string): ControlPlaneUser;
  /** Path of a kubeconfig file for the user; removed with the control plane. */
  kubeconfigFile(user: ControlPlaneUser): string;
  /** Contains every file of the control plane. */
  readonly dir: string;
  /**
   * Runs kube-controller-manager with the named controllers, or with all that work without nodes. Its garbage collector knows CRDs that were
   * installed before at once, and later ones after up to 30 s.
   */
  startControllerManager(controllers?: readonly string[]): Promise<void>;
  /** Kills kube-apiserver with SIGKILL, as in a crash; etcd keeps running. Resolves when it has terminated. */
  killApiServer(): Promise<void>;
  /** Restarts kube-apiserver on the same address and etcd. Resolves when it is ready. */
  startApiServer(): Promise<void>;
  /** Compacts etcd to its latest revision: watches from earlier resource versions get 410, once the watch cache of kube-apiserver has dropped them. */
  compact(): Promise<void>;
  /** Kills etcd with SIGKILL and restarts it on the same data; kube-apiserver keeps running. Resolves when etcd is ready. */
  restartEtcd(): Promise<void>;
  /** Backs up the data of etcd, which is restarted for it. Replaces an earlier backup. */
  backUpEtcd(): Promise<void>;
  /**
   * Restores the backup: objects and resourceVersions go back. etcd and kube-apiserver are restarted. Rejects with CLUSTER_START_FAILED without a
   * backup.
   */
  restoreEtcd(): Promise<void>;
  /** Does not keep this process alive; the control plane terminates with it. */
  unref(): void;
  /** Stops every process and removes every file. */
  stop(): Promise<void>;
}

const startAttempts = 3;

/**
 * Starts a real control plane on free loopback ports. Several can run at the same time.
 *
 * Rejects with CLUSTER_START_FAILED on Windows, when a binary is missing, and when one does not become ready; the error includes its last
 * output. No process and no file is left after `stop()`, after a failed start, or after this process was killed.
 */
export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  checkRequirements(options);
  for (let attempt = 1; ; attempt++) {
    const plane = new RunningControlPlane(startTimeoutMs(options), options.flags ?? {});
    try {
      await plane.start(options);
      return plane;
    } catch (error) {
      await plane.stop();
      // Another process may have taken a port since we found it free.
      if (attempt === startAttempts || !(error instanceof PortTakenError)) throw error;
    }
  }
}

class PortTakenError extends OperatorError {}

/** Throws CLUSTER_START_FAILED for an unsupported platform and for missing binaries. */
export function checkRequirements(
  { controllerManager = false, scheduler = false }: ControlPlaneOptions,
  platform: NodeJS.Platform = process.platform,
): void {
  const reason = unsupportedReason(platform);
  if (reason !== undefined)
    throw new OperatorError("CLUSTER_START_FAILED", `Cannot start a real control plane: ${reason}`);
  const names: BinaryName[] = ["etcd", "kube-apiserver"];
  if (controllerManager !== false) names.push("kube-controller-manager");
  if (scheduler) names.push("kube-scheduler");
  const missing = names.filter((name) => findBinary(name) === undefined);
  if (missing.length > 0) throw missingBinaries(missing);
}

function missingBinaries(names: readonly BinaryName[]): OperatorError {
  return new OperatorError(
    "CLUSTER_START_FAILED",
    `Cannot start a real control plane: ${names.join(", ")} not found; run "npm run real:install", or set KUBEBUILDER_ASSETS`,
  );
}

class RunningControlPlane implements ControlPlane {
  readonly dir = mkdtempSync(join(tmpdir(), "kubewright-real-"));
  readonly admin: TokenUser = { name: "admin", groups: ["system:masters"], token: randomUUID() };
  readonly restricted: TokenUser = { name: "restricted", groups: [], token: randomUUID() };
  readonly #clientAuthority = new CertificateAuthority("kubewright-test-clients");
  readonly #processes: GuardedProcess[] = [];
  #url = "";
  #etcdUrl = "";
  #etcd: GuardedProcess | undefined;
  #etcdArguments: readonly string[] = [];
  #apiServer: GuardedProcess | undefined;
  #apiServerArguments: readonly string[] = [];
  #caCertificate = "";
  readonly #startTimeoutMs: number;
  readonly #flags: NonNullable<ControlPlaneOptions["flags"]>;

  constructor(startTimeoutMs: number, flags: NonNullable<ControlPlaneOptions["flags"]>) {
    this.#startTimeoutMs = startTimeoutMs;
    this.#flags = flags;
  }

  get url(): string {
    return this.#url;
  }

  get caCertificate(): string {
    return this.#caCertificate;
  }

  certificateUser(name: string, group?: string): ControlPlaneUser {
    const subject = { commonName: name, ...(group !== undefined && { organization: group }) };
    return { name, groups: group === undefined ? [] : [group], ...this.#clientAuthority.issueClient(subject) };
  }

  kubeconfigFile(user: ControlPlaneUser): string {
    const file = join(this.dir, `${user.name}.kubeconfig`);
    writeFileSync(file, kubeconfigText(this, user), { mode: 0o600 });
    return file;
  }

  async stop(): Promise<void> {
    // Dependents first, so that none logs errors or retries.
    for (const process of this.#processes.toReversed()) await process.stop();
    rmSync(this.dir, { recursive: true, force: true });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  unref(): void {
    for (const process of this.#processes) process.unref();
  }

  get #etcdData(): string {
    return join(this.dir, "etcd");
  }

  get #etcdBackup(): string {
    return join(this.dir, "etcd-backup");
  }

  get #certificates(): string {
    return join(this.dir, "certificates");
  }

  async start({ controllerManager = false, scheduler = false }: ControlPlaneOptions): Promise<void> {
    const [etcdPort = 0, peerPort = 0, port = 0] = await freePorts(3);
    const certificates = this.#certificates;
    mkdirSync(certificates);
    this.#writeSecrets(certificates);
    const etcdUrl = `http://127.0.0.1:${etcdPort}`;
    this.#etcdUrl = etcdUrl;
    this.#etcdArguments = [
      `--data-dir=${this.#etcdData}`,
      `--listen-client-urls=${etcdUrl}`,
      `--advertise-client-urls=${etcdUrl}`,
      `--listen-peer-urls=http://127.0.0.1:${peerPort}`,
      `--initial-advertise-peer-urls=http://127.0.0.1:${peerPort}`,
      `--initial-cluster=default=http://127.0.0.1:${peerPort}`,
      "--unsafe-no-fsync=true",
    ];
    await this.#startEtcd();
    this.#url = `https://127.0.0.1:${port}`;
    const createsAccounts =
      controllerManager === true ||
      (controllerManager !== false && controllerManager.includes("serviceaccount-controller"));
    this.#apiServerArguments = [
      `--etcd-servers=${etcdUrl}`,
      `--cert-dir=${certificates}`,
      "--bind-address=127.0.0.1",
      `--secure-port=${port}`,
      "--authorization-mode=RBAC",
      "--allow-privileged=true",
      "--service-cluster-ip-range=10.0.0.0/24",
      "--endpoint-reconciler-type=none",
      `--token-auth-file=${join(certificates, "tokens.csv")}`,
      `--client-ca-file=${join(certificates, "clients.crt")}`,
      `--service-account-issuer=${this.#url}/`,
      `--service-account-key-file=${join(certificates, "service-account.pub")}`,
      `--service-account-signing-key-file=${join(certificates, "service-account.key")}`,
      // Without the serviceaccount controller no namespace has a default ServiceAccount, and the plugin rejects every Pod.
      ...(createsAccounts ? [] : ["--disable-admission-plugins=ServiceAccount"]),
    ];
    await this.startApiServer();
    this.#caCertificate = readFileSync(join(certificates, "apiserver.crt"), "utf8");
    if (controllerManager !== false) {
      await this.startControllerManager(controllerManager === true ? undefined : controllerManager);
    }
    if (scheduler) await this.#startController("kube-scheduler", []);
  }

  async startApiServer(): Promise<void> {
    const started = this.#run("kube-apiserver", this.#apiServerArguments);
    this.#apiServer = started;
    await this.#ready(started, async () => {
      const isReady = await isOk(httpsGet, `${this.#url}/readyz`, this.admin.token);
      return isReady && (await isOk(httpsGet, `${this.#url}/api/v1/namespaces/default`, this.admin.token));
    });
  }

  async killApiServer(): Promise<void> {
    await this.#apiServer?.stop();
  }

  async restartEtcd(): Promise<void> {
    await this.#etcd?.stop();
    await this.#startEtcd();
  }

  async backUpEtcd(): Promise<void> {
    await this.#etcd?.stop();
    rmSync(this.#etcdBackup, { recursive: true, force: true });
    cpSync(this.#etcdData, this.#etcdBackup, { recursive: true });
    await this.#startEtcd();
  }

  async restoreEtcd(): Promise<void> {
    if (!existsSync(this.#etcdBackup))
      throw new OperatorError("CLUSTER_START_FAILED", "Cannot restore etcd: there is no backup; call backUpEtcd first");
    // The directory is removed with its last process, and for a moment there is none.
    const marker = join(this.dir, "running", "restore");
    writeFileSync(marker, "");
    await this.killApiServer();
    await this.#etcd?.stop();
    rmSync(this.#etcdData, { recursive: true });
    cpSync(this.#etcdBackup, this.#etcdData, { recursive: true });
    await this.#startEtcd();
    await this.startApiServer();
    rmSync(marker);
  }

  async #startEtcd(): Promise<void> {
    const started = this.#run("etcd", this.#etcdArguments);
    this.#etcd = started;
    await this.#ready(started, () => isOk(httpGet, `${this.#etcdUrl}/health`));
  }

  async compact(): Promise<void> {
    const post = async (path: string, body: object): Promise<unknown> => {
      const response = await fetch(`${this.#etcdUrl}/v3/kv/${path}`, { method: "POST", body: JSON.stringify(body) });
      if (response.ok) return response.json();
      throw new OperatorError("TRANSPORT_FAILED", `Cannot compact etcd: ${(await response.text()).slice(0, 200)}`);
    };
    const newest = (await post("range", { key: Buffer.from("/").toString("base64") })) as {
      header: { revision: string };
    };
    await post("compaction", { revision: newest.header.revision, physical: true });
  }

  async startControllerManager(
    // Nodes of tests renew no Lease: these controllers would taint them and evict their Pods.
    controllers: readonly string[] = ["*", "-node-lifecycle-controller", "-taint-eviction-controller"],
  ): Promise<void> {
    await this.#startController("kube-controller-manager", [
      `--service-account-private-key-file=${join(this.#certificates, "service-account.key")}`,
      `--root-ca-file=${join(this.#certificates, "apiserver.crt")}`,
      `--controllers=${controllers.join(",")}`,
    ]);
  }

  async #startController(name: BinaryName, args: readonly string[]): Promise<void> {
    const [port = 0] = await freePorts(1);
    const process = this.#run(name, [
      `--kubeconfig=${this.kubeconfigFile(this.admin)}`,
      "--bind-address=127.0.0.1",
      `--secure-port=${port}`,
      `--cert-dir=${this.#certificates}`,
      "--leader-elect=false",
      ...args,
    ]);
    await this.#ready(process, () => isOk(httpsGet, `https://127.0.0.1:${port}/healthz`));
  }

  #writeSecrets(certificates: string): void {
    const { publicKey, privateKey } = generateKeyPairSync("rsa", {
      modulusLength: 2048,
      publicKeyEncoding: { type: "spki", format: "pem" },
      privateKeyEncoding: { type: "pkcs1", format: "pem" },
    });
    writeFileSync(join(certificates, "clients.crt"), this.#clientAuthority.certificate);
    writeFileSync(join(certificates, "service-account.pub"), publicKey);
    writeFileSync(join(certificates, "service-account.key"), privateKey, { mode: 0o600 });
    const lines = [this.admin, this.restricted].map(
      ({ token, name, groups }) => `${token},${name},${name},"${groups.join(",")}"\n`,
    );
    writeFileSync(join(certificates, "tokens.csv"), lines.join(""), { mode: 0o600 });
  }

  #run(name: BinaryName, args: readonly string[]): GuardedProcess {
    const path = findBinary(name);
    if (path === undefined) throw missingBinaries([name]);
    const process = new GuardedProcess(this.dir, name, [path, ...args, ...(this.#flags[name] ?? [])]);
    this.#processes.push(process);
    return process;
  }

  /** Polls, because the binaries do not report that they are ready. */
  async #ready(process: GuardedProcess, isReady: () => Promise<boolean>): Promise<void> {
    const timeoutMs = this.#startTimeoutMs;
    const deadline = performance.now() + timeoutMs;
    while (!(await isReady())) {
      const output = process.running ? undefined : process.lastOutput();
      if (output?.includes("address already in use"))
        throw new PortTakenError("CLUSTER_START_FAILED", `Cannot start ${process.name}: a port is in use`);
      if (output !== undefined || performance.now() > deadline) {
        const why = output === undefined ? `it did not become ready within ${timeoutMs / 1_000} s` : "it exited";
        throw new OperatorError(
          "CLUSTER_START_FAILED",
          `Cannot start ${process.name}: ${why}. Its last output:\n${process.lastOutput()}`,
        );
      }
      await delay(25);
    }
  }
}

/** The environment variable is envtest's, and so is its format. */
function startTimeoutMs({ startTimeout = "20s" }: ControlPlaneOptions): number {
  const variable = "KUBEBUILDER_CONTROLPLANE_START_TIMEOUT";
  const text = process.env[variable];
  return text === undefined ? durationMs("startTimeout", startTimeout) : durationMs(variable, asDuration(text));
}

/** Whether a GET returns 200. Certificates are not verified: this only probes our own process. */
function isOk(get: typeof httpsGet | typeof httpGet, url: string, token?: string): Promise<boolean> {
  return new Promise((resolve) => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const request = get(url, { rejectUnauthorized: false, headers, timeout: 2_000, agent: false }, (response) => {
      response.resume();
      response.once("end", () => resolve(response.statusCode === 200)).once("error", () => resolve(false));
    });
    request.once("error", () => resolve(false)).once("timeout", () => request.destroy());
  });
}
