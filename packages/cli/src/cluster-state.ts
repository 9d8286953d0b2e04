import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { request } from "node:https";
import { homedir } from "node:os";
import { join } from "node:path";
import { OperatorError } from "@kubewright/core/errors";

/** What is written down about a cluster that runs, for the other commands. */
export interface ClusterState {
  readonly name: string;
  readonly pid: number;
  readonly url: string;
  /** PEM: by it the cluster is told from another one on the same port. */
  readonly caCertificate: string;
  /** The text of a kubeconfig for its administrator. */
  readonly kubeconfig: string;
  /** Where the kubeconfig was written to; undefined for nowhere. */
  readonly kubeconfigFile?: string;
  /** A kubeconfig of the user's that it was added to. */
  readonly mergedInto?: string;
  readonly dataDir?: string;
  /** RFC 3339. */
  readonly startedAt: string;
}

/** How a cluster stands: it answers, it is there but does not answer, or only its state was left behind. */
export type ClusterHealth = "running" | "silent" | "gone";

/** The folder in which the clusters of this user are written down. */
export class ClusterStates {
  readonly folder: string;

  /** `KUBEWRIGHT_STATE_DIR`, else the system's place for such things. */
  constructor(environment: NodeJS.ProcessEnv = process.env) {
    const base = environment["XDG_STATE_HOME"] ?? join(homedir(), ".local", "state");
    this.folder = environment["KUBEWRIGHT_STATE_DIR"] ?? join(base, "kubewright", "clusters");
  }

  /** Undefined when none of that name is written down. */
  async read(name: string): Promise<ClusterState | undefined> {
    const text = await readFile(this.#file(name), "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw error;
    });
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
    await writeFile(this.#file(state.name), `${JSON.stringify(state, undefined, 2)}\n`, { mode: 0o600 });
  }

  /** Takes a state away, if it is still that of this process. */
  async remove({ name, pid }: Pick<ClusterState, "name" | "pid">): Promise<void> {
    if ((await this.read(name))?.pid === pid) await rm(this.#file(name), { force: true });
  }

  /** Where a cluster in the background writes what it has to say. */
  logFile(name: string): string {
    return join(this.folder, `${name}.log`);
  }

  #file(name: string): string {
    return join(this.folder, `${name}.json`);
  }
}

/** Throws CONFIG_INVALID for a name that is none: it becomes part of file names and of contexts. */
export function checkClusterName(name: string): void {
  if (!/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(name))
    throw new OperatorError(
      "CONFIG_INVALID",
      `Cannot use the name "${name}": use lower-case letters, digits and "-", at most 63`,
    );
}

/** Looks whether the cluster that was written down is there, and is that very one. */
export async function healthOf({ pid, url, caCertificate }: ClusterState): Promise<ClusterHealth> {
  if (!isProcess(pid)) return "gone";
  return new Promise((resolve) => {
    const asked = request(`${url}/readyz`, { ca: caCertificate, agent: false, timeout: 3_000 }, (response) => {
      response.resume();
      resolve(response.statusCode === 200 ? "running" : "silent");
    });
    asked.once("timeout", () => {
      resolve("silent");
      asked.destroy();
    });
    // Nobody listens, or somebody else does: the number of the process was given to another.
    asked.once("error", () => resolve("gone"));
    asked.end();
  });
}

function isProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** A state that was cut off, or is of another version, is as none. */
function parseState(text: string): ClusterState | undefined {
  try {
    const value = JSON.parse(text) as Partial<ClusterState>;
    const isWhole =
      typeof value.name === "string" &&
      typeof value.pid === "number" &&
      typeof value.url === "string" &&
      typeof value.caCertificate === "string" &&
      typeof value.kubeconfig === "string";
    return isWhole ? (value as ClusterState) : undefined;
  } catch {
    return undefined;
  }
}
