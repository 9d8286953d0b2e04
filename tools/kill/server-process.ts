import { type ChildProcess, spawn } from "node:child_process";
import { Agent, request } from "node:https";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** A response of the server under test. */
export interface ServerResponse {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: any JSON
  readonly body: any;
}

/** A server process that serves HTTPS and can be killed at any time. */
export class ServerProcess {
  readonly #child: ChildProcess;
  readonly #url: string;
  readonly #token: string;
  readonly #agent: Agent;
  /** The revision at its start. */
  readonly revision: number;

  private constructor(child: ChildProcess, info: Record<string, string>) {
    this.#child = child;
    this.#url = info["url"] ?? "";
    this.#token = info["adminToken"] ?? "";
    this.revision = Number(info["revision"]);
    this.#agent = new Agent({ keepAlive: true, ...(info["caCertificate"] && { ca: info["caCertificate"] }) });
  }

  /** Starts a server on a data directory. Rejects with its error output when it exits before it is ready. */
  static start(folder: string): Promise<ServerProcess> {
    const args = ["--conditions=kubewright-source", "--import=tsx", join(import.meta.dirname, "server.ts"), folder];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"], windowsHide: true });
    let errors = "";
    child.stderr?.on("data", (text) => {
      errors += text;
    });
    return new Promise((resolve, reject) => {
      if (child.stdout)
        createInterface({ input: child.stdout }).once("line", (line) =>
          resolve(new ServerProcess(child, JSON.parse(line))),
        );
      child.once("exit", (code, signal) => reject(new Error(`The server exited with ${code ?? signal}: ${errors}`)));
    });
  }

  /** Sends a request. Rejects when the response is incomplete. */
  send(method: string, path: string, body?: unknown): Promise<ServerResponse> {
    return new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${this.#token}`, "content-type": "application/json" };
      const sent = request(`${this.#url}${path}`, { method, agent: this.#agent, headers }, (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (part: string) => {
          text += part;
        });
        response.once("error", reject);
        response.once("close", () => {
          if (response.complete) resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) });
          else reject(new Error("The response is incomplete"));
        });
      });
      sent.once("error", reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  /** Kills the process with SIGKILL; resolves when it has exited. */
  async kill(): Promise<void> {
    this.#agent.destroy();
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exited = new Promise((resolve) => this.#child.once("exit", resolve));
    this.#child.kill("SIGKILL");
    await exited;
  }
}
