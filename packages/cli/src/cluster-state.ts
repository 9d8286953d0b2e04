import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { request } from "node:https";
import { homedir } from "node:os";
import { join } from "node:path";
import { isRunning } from "@kubewright/cluster/process";
import { OperatorError } from "@kubewright/core/errors";

/** A running cluster, as its state file describes it to the other commands. */
export interface ClusterState {
  readonly name: string;
  readonly pid: number;
  /** Distinguishes the process from a later one with the same pid. */
  readonly processStartTime: string;
  readonly url: string;
  /** PEM. Distinguishes the cluster from another server on the same port. */
  readonly caCertificate: string;
  /** Content of the administrator's kubeconfig. */
  readonly kubeconfig: string;
  /** The file that the kubeconfig was written to; undefined when it was merged. */
  readonly kubeconfigFile?: string;
  /** The user's kubeconfig that the context was added to. */
  readonly mergedInto?: string;
  readonly dataDir?: string;
  /** RFC 3339. */
  readonly startedAt: string;
}

/** Running: the API server is ready. Unresponsive: the process runs, the API server is not ready. Terminated: only the state file is left. */
export type ClusterHealth = "running" | "unresponsive" | "terminated";

/** What another process can ask a cluster to do. */
export interface ClusterRequest {
  readonly id: string;
  readonly action: "snapshot" | "restore" | "reset" | "load-image";
  /** Absolute; undefined for `reset`. */
  readonly file?: string;
}

/** How a cluster handled a request. */
export interface ClusterResponse {
  readonly id: string;
  /** Why it failed; undefined when it did not. */
  readonly error?: string;
  /** How many objects were written to the file. */
  readonly objects?: number;
}

/** The directory with the state files of this user's clusters. */
export class ClusterStates {
  readonly folder: string;

  /** `KUBEWRIGHT_STATE_DIR`, else `kubewright/clusters` in the user's state directory. */
  constructor(environment: NodeJS.ProcessEnv = process.env) {
    const base = environment["XDG_STATE_HOME"] || join(homedir(), ".local", "state");
    this.folder = environment["KUBEWRIGHT_STATE_DIR"] || join(base, "kubewright", "clusters");
  }

  /** Undefined when there is no state file of that name. */
  async read(name: string): Promise<ClusterState | undefined> {
    const text = await readIfPresent(this.#file(name, "json"));
    return text === undefined ? undefined : parseState(text);
  }

  async list(): Promise<ClusterState[]> {
    const files = await readdir(this.folder).catch(() => []);
    const names = files.filter((file) => file.endsWith(".json")).map((file) => file.slice(0, -".json".length));
    const states = await Promise.all(names.sort().map((name) => this.read(name)));
    return states.filter((state) => state !== undefined);
  }

  async write(state: ClusterState): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    await writeFile(this.#file(state.name, "json"), `${JSON.stringify(state, undefined, 2)}\n`, { mode: 0o600 });
  }

  /** Removes the state file, unless another process has replaced it. */
  async remove({ name, pid }: ClusterState): Promise<void> {
    if ((await this.read(name))?.pid !== pid) return;
    for (const extension of ["stop", "request", "response"] as const)
      await rm(this.#file(name, extension), { force: true });
    await rm(this.#file(name, "json"), { force: true });
  }

  /** Asks a cluster to stop, by a file: Windows has no signal that a process can handle, and delivers none to a detached one. */
  async requestStop(state: ClusterState): Promise<void> {
    await writeFile(this.#file(state.name, "stop"), stopToken(state), { mode: 0o600 });
  }

  /** Whether {@link requestStop} was called for this very process. */
  async isStopRequested(state: ClusterState): Promise<boolean> {
    return (await readIfPresent(this.#file(state.name, "stop"))) === stopToken(state);
  }

  /** Asks a cluster to do something, by a file, as {@link requestStop} does. */
  async request(state: ClusterState, request: ClusterRequest): Promise<void> {
    await rm(this.#file(state.name, "response"), { force: true });
    await writeWhole(this.#file(state.name, "request"), { ...request, token: stopToken(state) });
  }

  /** The request that waits for this very process; it is removed. */
  async takeRequest(state: ClusterState): Promise<ClusterRequest | undefined> {
    const file = this.#file(state.name, "request");
    const text = await readIfPresent(file);
    if (text === undefined) return undefined;
    await rm(file, { force: true });
    const { token, ...request } = JSON.parse(text) as ClusterRequest & { readonly token: string };
    return token === stopToken(state) ? request : undefined;
  }

  async respond({ name }: ClusterState, response: ClusterResponse): Promise<void> {
    await writeWhole(this.#file(name, "response"), response);
  }

  /** The response to a request; undefined while there is none. */
  async takeResponse({ name }: ClusterState, id: string): Promise<ClusterResponse | undefined> {
    const file = this.#file(name, "response");
    const text = await readIfPresent(file);
    const response = text === undefined ? undefined : (JSON.parse(text) as ClusterResponse);
    if (response?.id !== id) return undefined;
    await rm(file, { force: true });
    return response;
  }

  /** The log file of a detached cluster. */
  logFile(name: string): string {
    return this.#file(name, "log");
  }

  #file(name: string, extension: "json" | "stop" | "request" | "response" | "log"): string {
    return join(this.folder, `${name}.${extension}`);
  }
}

function stopToken({ pid, processStartTime }: ClusterState): string {
  return `${pid} ${processStartTime}\n`;
}

/** Throws CONFIG_INVALID for a name that cannot be part of file and context names. */
export function checkClusterName(name: string): void {
  if (!/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(name))
    throw new OperatorError(
      "CONFIG_INVALID",
      `Cannot use the name "${name}": use lower-case letters, digits and "-", at most 63`,
    );
}

/** Whether the cluster's process runs and its API server is ready. The process decides whether it has terminated, not the port. */
export async function healthOf(state: ClusterState): Promise<ClusterHealth> {
  const { pid, processStartTime: startTime, url, caCertificate } = state;
  if (!isRunning({ pid, startTime })) return "terminated";
  return new Promise((resolve) => {
    const probe = request(`${url}/readyz`, { ca: caCertificate, agent: false, timeout: 3_000 }, (response) => {
      response.resume();
      resolve(response.statusCode === 200 ? "running" : "unresponsive");
    });
    probe.once("timeout", () => probe.destroy(new Error("timeout")));
    probe.once("error", () => resolve("unresponsive"));
    probe.end();
  });
}

/** Readers never see half of it. */
async function writeWhole(file: string, value: object): Promise<void> {
  await writeFile(`${file}.new`, JSON.stringify(value), { mode: 0o600 });
  await rename(`${file}.new`, file);
}

async function readIfPresent(file: string): Promise<string | undefined> {
  return await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
}

/** Undefined for a truncated file and for one of another version. */
function parseState(text: string): ClusterState | undefined {
  try {
    const value = JSON.parse(text) as Partial<ClusterState>;
    const isWhole =
      typeof value.name === "string" &&
      typeof value.pid === "number" &&
      typeof value.processStartTime === "string" &&
      typeof value.url === "string" &&
      typeof value.caCertificate === "string" &&
      typeof value.kubeconfig === "string";
    return isWhole ? (value as ClusterState) : undefined;
  } catch {
    return undefined;
  }
}
