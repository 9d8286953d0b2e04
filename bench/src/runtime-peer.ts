import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";

const folder = join(import.meta.dirname, "..");
/** `require` for CommonJS modules in a bundle. */
const requireOfNode =
  'import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url);';

/** One implementation of the benchmark operator. */
export interface Peer {
  readonly name: "kubewright" | "controller-runtime";
  readonly command: readonly string[];
}

/** A line of output: an event and its wall-clock time. */
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
 * The operator on Kubewright, or another task of this folder, with built packages: bundled, as for an image, or with all packages in `node_modules`.
 */
export async function kubewrightPeer(form: "bundled" | "packages", task = "runtime-task"): Promise<Peer> {
  const outdir = join(folder, "dist", form);
  await build({
    entryPoints: [join(folder, "src", `${task}.ts`)],
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    // Identifiers stay, for stack traces.
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: "none",
    outdir,
    logLevel: "error",
    ...(form === "packages" ? { packages: "external" } : { splitting: true, banner: { js: requireOfNode } }),
  });
  return { name: "kubewright", command: [process.execPath, join(outdir, `${task}.js`)] };
}

/** The operator on controller-runtime, built once per version of its sources; undefined, with a message, without Go. */
export function controllerRuntimePeer(): Peer | undefined {
  const sources = join(folder, "controller-runtime");
  const hash = createHash("sha256");
  for (const file of readdirSync(sources).sort()) hash.update(file).update(readFileSync(join(sources, file)));
  const cache = join(homedir(), ".cache", "kubewright", "bench");
  const program = join(cache, `controller-runtime-${hash.digest("hex").slice(0, 16)}`);
  if (!existsSync(program)) {
    console.error("Building the operator on controller-runtime (some minutes the first time) ...");
    mkdirSync(cache, { recursive: true });
    const go = spawnSync("go", ["build", "-o", program, "."], { cwd: sources, stdio: "inherit" });
    if (go.status !== 0) {
      console.error("Skipping controller-runtime: go build failed; is Go installed?");
      return undefined;
    }
  }
  return { name: "controller-runtime", command: [program] };
}

/** A running operator process. */
export class RunningPeer {
  readonly launchedMs: number;
  readonly #child: ChildProcess;
  readonly #exited: Promise<void>;
  readonly #lines: Line[] = [];
  readonly #waiting = new Set<() => void>();
  #hasExited = false;

  constructor({ command: [program = "", ...args] }: Peer, flags: readonly string[]) {
    this.launchedMs = performance.timeOrigin + performance.now();
    this.#child = spawn(program, [...args, ...flags], { stdio: ["ignore", "pipe", "inherit"] });
    this.#exited = new Promise((resolve) => this.#child.once("exit", () => resolve()));
    if (this.#child.stdout === null) throw new Error("The operator process has no stdout");
    createInterface({ input: this.#child.stdout }).on("line", (text) => {
      this.#lines.push(JSON.parse(text) as Line);
      this.#wake();
    });
    void this.#exited.then(() => {
      this.#hasExited = true;
      this.#wake();
    });
  }

  /** Waits for the first line that `accepts`. Throws if the process exits before. */
  async line(accepts: (line: Line) => boolean): Promise<Line> {
    for (;;) {
      const found = this.#lines.find(accepts);
      if (found !== undefined) return found;
      if (this.#hasExited) throw new Error("The operator exited before it printed the expected line");
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  event(event: Line["event"]): Promise<Line> {
    return this.line((line) => line.event === event);
  }

  /** Resident memory in MB: current and peak. */
  memory(): { readonly residentMb: number; readonly peakMb: number } {
    const text = readFileSync(`/proc/${this.#child.pid}/status`, "utf8");
    const mb = (field: string): number => Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(text)?.[1]) / 1024;
    return { residentMb: mb("VmRSS"), peakMb: mb("VmHWM") };
  }

  /** CPU time since the launch, user and system, of all threads. Varies less than rates on a machine that is not idle. */
  cpuMs(): number {
    const stat = readFileSync(`/proc/${this.#child.pid}/stat`, "utf8");
    // The name, in parentheses, may have spaces. Clock ticks are hundredths of a second on Linux.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) * 10;
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
