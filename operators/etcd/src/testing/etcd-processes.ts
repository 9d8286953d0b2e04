import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { realCacheDir } from "@kubewright/testing/control-plane";
import { freePorts } from "./free-ports.js";

/** The folder with etcd, etcdctl and etcdutl of a version; undefined if `npm run etcd:images` has not built it. */
export function etcdPrograms(version: string): string | undefined {
  const folder = join(realCacheDir(), `etcd-${version}`);
  return existsSync(join(folder, "etcd")) ? folder : undefined;
}

interface Member {
  readonly name: string;
  readonly clientUrl: string;
  readonly peerUrl: string;
  process: ChildProcess | undefined;
}

/** Members of one etcd cluster as processes on loopback, with data in a temporary folder. */
export class EtcdProcesses implements AsyncDisposable {
  readonly folder: string = mkdtempSync(join(tmpdir(), "etcd-"));
  readonly #program: string;
  readonly #members: readonly Member[];

  private constructor(program: string, members: readonly Member[]) {
    this.#program = program;
    this.#members = members;
  }

  /** Prepares members that do not run yet. */
  static async prepare(programs: string, size: number): Promise<EtcdProcesses> {
    const ports = await freePorts(2 * size);
    const urlOf = (index: number): string => `http://127.0.0.1:${ports[index]}`;
    const members = Array.from({ length: size }, (_, index) => ({
      name: `member${index}`,
      clientUrl: urlOf(2 * index),
      peerUrl: urlOf(2 * index + 1),
      process: undefined,
    }));
    return new EtcdProcesses(join(programs, "etcd"), members);
  }

  get clientUrls(): readonly string[] {
    return this.#members.map(({ clientUrl }) => clientUrl);
  }

  get peerUrls(): readonly string[] {
    return this.#members.map(({ peerUrl }) => peerUrl);
  }

  dataFolder(index: number): string {
    return join(this.folder, `data${index}`);
  }

  async startAll(): Promise<void> {
    await Promise.all(this.#members.map((_, index) => this.start(index)));
  }

  /** Starts a member, and resolves when it serves. */
  async start(index: number): Promise<void> {
    const { name, clientUrl, peerUrl } = this.#member(index);
    const initial = this.#members.map((member) => `${member.name}=${member.peerUrl}`).join(",");
    const flags = {
      name,
      "data-dir": this.dataFolder(index),
      "listen-client-urls": clientUrl,
      "advertise-client-urls": clientUrl,
      "listen-peer-urls": peerUrl,
      "initial-advertise-peer-urls": peerUrl,
      "initial-cluster": initial,
      "log-level": "error",
      "heartbeat-interval": "50",
      "election-timeout": "500",
    };
    const args = Object.entries(flags).map(([flag, value]) => `--${flag}=${value}`);
    const child = spawn(this.#program, [...args, "--unsafe-no-fsync"], { stdio: ["ignore", "ignore", "inherit"] });
    this.#member(index).process = child;
    for (let attempt = 0; attempt < 200; attempt++) {
      if (child.exitCode !== null) throw new Error(`etcd ${name} has exited with code ${child.exitCode}`);
      const isHealthy = await fetch(`${clientUrl}/health`)
        .then(({ ok }) => ok)
        .catch(() => false);
      if (isHealthy) return;
      await sleep(100);
    }
    throw new Error(`etcd ${name} does not serve`);
  }

  /** Ends a member as a crash does. */
  async kill(index: number): Promise<void> {
    const child = this.#member(index).process;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#members.map((_, index) => this.kill(index)));
    rmSync(this.folder, { recursive: true });
  }

  #member(index: number): Member {
    const member = this.#members[index];
    if (member === undefined) throw new RangeError(`There is no member ${index}`);
    return member;
  }
}
