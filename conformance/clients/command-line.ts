import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";

/** What a program did. */
export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A folder with a kubeconfig, in which programs run as a user runs them; nothing outside it is read or written. */
export class CommandLine {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async in(kubeconfig: string): Promise<CommandLine> {
    const folder = await mkdtemp(join(tmpdir(), "kubewright-commands-"));
    await writeFile(join(folder, "kubeconfig"), kubeconfig);
    return new CommandLine(folder);
  }

  /** The environment of the programs. */
  environment(more: Record<string, string> = {}): Record<string, string> {
    return { PATH: process.env["PATH"] ?? "", HOME: this.folder, KUBECONFIG: join(this.folder, "kubeconfig"), ...more };
  }

  /** Runs a program to its end. */
  run(program: string, args: readonly string[], more: Record<string, string> = {}): Promise<Ran> {
    return new Promise((resolve) => {
      execFile(program, args, { env: this.environment(more), cwd: this.folder }, (error, out, err) => {
        resolve({ code: error ? Number(error.code ?? 1) : 0, out, err });
      });
    });
  }

  /** What a program prints when it succeeds; fails when it does not. */
  async prints(program: string, ...args: string[]): Promise<string> {
    const { code, out, err } = await this.run(program, args);
    expect(`${args.join(" ")}: ${code} ${err}`).toBe(`${args.join(" ")}: 0 `);
    return out;
  }

  /** Writes a file into the folder, and gives its name there. */
  async file(name: string, text: string): Promise<string> {
    await writeFile(join(this.folder, name), text);
    return name;
  }

  async close(): Promise<void> {
    await rm(this.folder, { recursive: true });
  }
}
