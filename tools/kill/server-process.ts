import { type ChildProcess, spawn } from "node:child_process";
import { Agent, request } from "node:https";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** An answer of the server under test. */
export interface KillAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: looked into, whatever it is
  readonly body: any;
}

/** A running server process: requests go over HTTPS, and it can be killed at any moment. */
export class ServerProcess {
  readonly #child: ChildProcess;
  readonly #url: string;
  readonly #token: string;
  readonly #agent: Agent;
  /** The revision with which it began. */
  readonly revision: number;

  private constructor(child: ChildProcess, said: Record<string, string>) {
    this.#child = child;
    this.#url = said["url"] ?? "";
    this.#token = said["adminToken"] ?? "";
    this.revision = Number(said["revision"]);
    this.#agent = new Agent({ keepAlive: true, ...(said["caCertificate"] && { ca: said["caCertificate"] }) });
  }

  /** Starts one on a folder. Rejects with what it wrote when it ends before it is ready. */
  static start(folder: string): Promise<ServerProcess> {
    const args = ["--conditions=kubewright-source", "--import=tsx", join(import.meta.dirname, "server.ts"), folder];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
    let errors = "";
    child.stderr?.on("data", (text) => {
      errors += text;
    });
    return new Promise((resolve, reject) => {
      if (child.stdout)
        createInterface({ input: child.stdout }).once("line", (line) =>
          resolve(new ServerProcess(child, JSON.parse(line))),
        );
      child.once("exit", (code, signal) => reject(new Error(`The server ended with ${code ?? signal}: ${errors}`)));
    });
  }

  /** Sends a request; rejects when there is no whole answer. */
  send(method: string, path: string, body?: unknown): Promise<KillAnswer> {
    return new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${this.#token}`, "content-type": "application/json" };
      const asked = request(`${this.#url}${path}`, { method, agent: this.#agent, headers }, (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (part: string) => {
          text += part;
        });
        response.once("error", reject);
        response.once("close", () => {
          if (response.complete) resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) });
          else reject(new Error("The answer was cut off"));
        });
      });
      asked.once("error", reject);
      asked.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  /** Ends it without a chance to do anything; resolves when it is gone. */
  async kill(): Promise<void> {
    this.#agent.destroy();
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = new Promise((resolve) => this.#child.once("exit", resolve));
    this.#child.kill("SIGKILL");
    await ended;
  }
}
