import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect } from "vitest";

/** The result of a command. */
export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A folder with a kubeconfig, in which commands run; nothing outside it is read or written. */
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

  /** The environment of the commands. */
  environment(more: Record<string, string> = {}): Record<string, string> {
    return { PATH: process.env["PATH"] ?? "", HOME: this.folder, KUBECONFIG: join(this.folder, "kubeconfig"), ...more };
  }

  /** Runs a command and waits for it to exit. */
  run(program: string, args: readonly string[], more: Record<string, string> = {}): Promise<Ran> {
    return new Promise((resolve) => {
      execFile(program, args, { env: this.environment(more), cwd: this.folder }, (error, out, err) => {
        resolve({ code: error ? Number(error.code ?? 1) : 0, out, err });
      });
    });
  }

  /** The stdout of a command; fails the test if the command fails. */
  async prints(program: string, ...args: string[]): Promise<string> {
    const { code, out, err } = await this.run(program, args);
    expect(`${args.join(" ")}: ${code} ${err}`).toBe(`${args.join(" ")}: 0 `);
    return out;
  }

  /** Adds a binary to the PATH of the shell under this name. */
  async install(name: string, program: string): Promise<void> {
    await mkdir(join(this.folder, "bin"), { recursive: true });
    await symlink(program, join(this.folder, "bin", name));
  }

  /** Creates a folder with these files, in which `shell` runs with a namespace of the same name. */
  async chapter(name: string, files: Readonly<Record<string, string>>): Promise<void> {
    await mkdir(join(this.folder, name));
    for (const [file, text] of Object.entries(files)) {
      const path = join(this.folder, name, file);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
    }
    await copyFile(join(this.folder, "kubeconfig"), join(this.folder, name, "kubeconfig"));
    const ready = `kubectl create namespace ${name} && kubectl config set-context --current --namespace=${name}`;
    expect(await this.shell(name, ready)).toMatchObject({ code: 0, err: "" });
  }

  /** Runs a shell command line in the folder of a chapter, with the installed binaries first in PATH. */
  shell(chapter: string, line: string): Promise<Ran> {
    const cwd = join(this.folder, chapter);
    const path = `${join(this.folder, "bin")}:${process.env["PATH"] ?? ""}`;
    // Short-lived Go processes need no garbage collection: it is a third of their CPU time.
    const env = this.environment({ KUBECONFIG: join(cwd, "kubeconfig"), PATH: path, EDITOR: "true", GOGC: "off" });
    return new Promise((resolve) => {
      const options = { env, cwd, maxBuffer: 50_000_000, timeout: 40_000 };
      const child = execFile("/bin/sh", ["-c", line], options, (error, out, err) => {
        resolve({ code: error ? Number(error.code ?? 1) : 0, out, err });
      });
      // Interactive prompts get EOF.
      child.stdin?.end();
    });
  }

  /** Writes a file into the folder, and returns its name. */
  async file(name: string, text: string): Promise<string> {
    await writeFile(join(this.folder, name), text);
    return name;
  }

  async close(): Promise<void> {
    await rm(this.folder, { recursive: true });
  }
}
