import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";

const folder = join(import.meta.dirname, "..");
/** What CommonJS modules in a bundle need. */
const requireOfNode =
  'import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url);';

/** A program with the operator of the measurements. */
export interface Peer {
  readonly name: "kubewright" | "controller-runtime";
  readonly command: readonly string[];
}

/** What a program says: what happened, and when by the wall clock. */
export interface Line {
  readonly event: "starting" | "first" | "reconcile" | "finished" | "queue";
  readonly atMs: number;
  readonly name?: string;
  readonly errors?: number;
  readonly conflicts?: number;
  readonly classicNs?: number;
  readonly priorityNs?: number;
}

/**
 * Kubewright's program over the packages as they are built: bundled into files, as one puts it into an image, or as it is written, with every package in
 * `node_modules`.
 */
export async function kubewrightPeer(form: "bundled" | "packages"): Promise<Peer> {
  const outdir = join(folder, "dist", form);
  await build({
    entryPoints: [join(folder, "src", "runtime-task.ts")],
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    // What nobody reads in an image; names stay, for stack traces.
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: "none",
    outdir,
    logLevel: "error",
    ...(form === "packages" ? { packages: "external" } : { splitting: true, banner: { js: requireOfNode } }),
  });
  return { name: "kubewright", command: [process.execPath, join(outdir, "runtime-task.js")] };
}

/** The program on controller-runtime, built once for each state of its sources; undefined, and said so, without Go. */
export function controllerRuntimePeer(): Peer | undefined {
  const sources = join(folder, "controller-runtime");
  const hash = createHash("sha256");
  for (const file of readdirSync(sources).sort()) hash.update(file).update(readFileSync(join(sources, file)));
  const cache = join(homedir(), ".cache", "kubewright", "bench");
  const program = join(cache, `controller-runtime-${hash.digest("hex").slice(0, 16)}`);
  if (!existsSync(program)) {
    console.error("Building the program on controller-runtime (some minutes the first time) ...");
    mkdirSync(cache, { recursive: true });
    const go = spawnSync("go", ["build", "-o", program, "."], { cwd: sources, stdio: "inherit" });
    if (go.status !== 0) {
      console.error("controller-runtime is not measured: its program cannot be built; is Go there?");
      return undefined;
    }
  }
  return { name: "controller-runtime", command: [program] };
}

/** A running program. */
export class RunningPeer {
  readonly launchedMs: number;
  readonly #child: ChildProcess;
  readonly #exited: Promise<void>;
  readonly #lines: Line[] = [];
  readonly #waiting = new Set<() => void>();
  #ended = false;

  constructor({ command: [program = "", ...args] }: Peer, flags: readonly string[]) {
    this.launchedMs = performance.timeOrigin + performance.now();
    this.#child = spawn(program, [...args, ...flags], { stdio: ["ignore", "pipe", "inherit"] });
    this.#exited = new Promise((resolve) => this.#child.once("exit", () => resolve()));
    if (this.#child.stdout === null) throw new Error("The program has no output");
    createInterface({ input: this.#child.stdout }).on("line", (text) => {
      this.#lines.push(JSON.parse(text) as Line);
      this.#wake();
    });
    void this.#exited.then(() => {
      this.#ended = true;
      this.#wake();
    });
  }

  /** The first line that `accepts`, as soon as it is there. Throws when the program ends before. */
  async line(accepts: (line: Line) => boolean): Promise<Line> {
    for (;;) {
      const found = this.#lines.find(accepts);
      if (found !== undefined) return found;
      if (this.#ended) throw new Error("The program ended before it said what was awaited");
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  event(event: Line["event"]): Promise<Line> {
    return this.line((line) => line.event === event);
  }

  /** Memory in MB: what it holds now, and the most that it held. */
  memory(): { readonly residentMb: number; readonly peakMb: number } {
    const text = readFileSync(`/proc/${this.#child.pid}/status`, "utf8");
    const mb = (field: string): number => Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(text)?.[1]) / 1024;
    return { residentMb: mb("VmRSS"), peakMb: mb("VmHWM") };
  }

  async stop(): Promise<void> {
    this.#child.kill("SIGTERM");
    await this.#exited;
  }

  #wake(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const wake of waiting) wake();
  }
}
