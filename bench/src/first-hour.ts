import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { systemClock } from "@kubewright/core/clock";
import { createClient } from "kubewright";
import { HttpsTransport, loadConnection } from "kubewright/transport";
import type { Comparison } from "./comparison.js";
import { type Figure, figureOf, measure } from "./measure.js";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const command = join(root, "packages", "cli", "dist", "main.js");
const reloads = 200;

type Line = Readonly<Record<string, unknown>>;

/**
 * What a new user waits for: the help of the command, `dev` until the operator runs, and a saved change until the new code has reconciled. With the
 * built packages. Goals: 120, 1,500 and 500 ms; the heap after 200 reloads at most twice that after ten.
 */
export async function measureFirstHour(): Promise<Comparison[]> {
  const build = spawnSync("npm", ["run", "--silent", "build"], { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
  if (build.status !== 0) throw new Error(`Cannot measure the command: "npm run build" exited with ${build.status}`);
  const node = await measure("node, empty program", 20, async () => {
    await ended(spawn(process.execPath, ["-e", "0"], { stdio: "ignore" }));
    return async () => {};
  });
  const help = await measure("kubewright --help", 20, async () => {
    await ended(spawn(process.execPath, [command, "--help"], { stdio: "ignore" }));
    return async () => {};
  });
  // Inside the repository, so that the project's imports resolve.
  const scratch = join(root, "bench", ".kubewright");
  mkdirSync(scratch, { recursive: true });
  const folder = mkdtempSync(join(scratch, "first-hour-"));
  try {
    writeFileSync(join(folder, "package.json"), '{"type":"module"}\n');
    writeFileSync(join(folder, "operator.ts"), source(0));
    const ready = await measure("kubewright dev, ready", 7, async () => {
      const dev = new Dev(folder);
      await dev.next(({ type }) => type === "ready");
      return () => dev.stop();
    });
    const { live, heaps } = await measureReloads(folder);
    return [
      { ...row(node, Number.NaN), theirs: undefined, goal: 0 },
      row(help, 120),
      row(ready, 1_500),
      row(live, 500),
      {
        name: `heap after ${reloads} reloads, and after ten`,
        unit: "MiB",
        ours: heaps.at(-1) ?? Number.NaN,
        theirs: (heaps[9] ?? Number.NaN) * 2,
        moreIsBetter: false,
        goal: 1,
      },
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Beside its goal, so that a ratio below 1 is a miss. */
function row({ name, medianMs, minMs, maxMs }: Figure, goalMs: number): Comparison {
  const spread = `${Math.round(minMs)} to ${Math.round(maxMs)}`;
  return { name: `${name} (${spread})`, unit: "ms", ours: medianMs, theirs: goalMs, moreIsBetter: false, goal: 1 };
}

async function measureReloads(folder: string): Promise<{ readonly live: Figure; readonly heaps: readonly number[] }> {
  const dev = new Dev(folder);
  const times: number[] = [];
  const heaps: number[] = [];
  try {
    const { kubeconfig } = await dev.next(({ type }) => type === "ready");
    const transport = new HttpsTransport(await loadConnection({ kubeconfig: String(kubeconfig) }), {
      clock: systemClock,
    });
    const client = createClient(transport);
    const kind = await client.kind("bench.example.com/v1/Greeting");
    const isRun = ({ type }: Line): boolean => type === "run";
    const first = dev.next(isRun);
    await client.create(kind, { metadata: { name: "first" }, spec: { name: "world" } } as never);
    await first;
    for (let reload = 1; reload <= reloads; reload++) {
      const startedMs = performance.now();
      const reloaded = dev.next(({ type }) => type === "reloaded" || type === "reloadFailed");
      const run = dev.next(isRun);
      writeFileSync(join(folder, "operator.ts"), source(reload));
      const [{ heapMiB }] = await Promise.all([reloaded, run]);
      times.push(performance.now() - startedMs);
      heaps.push(Number(heapMiB));
    }
    await transport.close();
  } finally {
    await dev.stop();
  }
  return { live: figureOf("a saved change, live", times), heaps };
}

/** `kubewright dev` as a process. */
class Dev {
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;
  readonly #waiting = new Set<{ readonly matches: (line: Line) => boolean; readonly resolve: (line: Line) => void }>();

  constructor(folder: string) {
    const args = [command, "dev", "operator.ts", "-o", "json", "--no-type-check"];
    const env = { ...process.env, KUBEWRIGHT_STATE_DIR: join(folder, "state") };
    const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ["ignore", "pipe", "inherit"] });
    this.#child = child;
    this.#ended = ended(child);
    createInterface({ input: child.stdout }).on("line", (text) => {
      const line = JSON.parse(text) as Line;
      for (const one of [...this.#waiting].filter(({ matches }) => matches(line))) {
        this.#waiting.delete(one);
        one.resolve(line);
      }
    });
  }

  /** The next line that matches. Rejects when the command ends before. */
  next(matches: (line: Line) => boolean): Promise<Line> {
    const found = new Promise<Line>((resolve) => this.#waiting.add({ matches, resolve }));
    const died = this.#ended.then((): Line => {
      throw new Error("kubewright dev ended");
    });
    died.catch(() => {});
    return Promise.race([found, died]);
  }

  async stop(): Promise<void> {
    this.#child.kill("SIGTERM");
    await this.#ended;
  }
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => child.once("close", () => resolve()));
}

/** An operator whose child differs with each reload. */
function source(reload: number): string {
  return `
import { controller, defineResource, operator, z } from "kubewright";
import { ConfigMap } from "kubewright/k8s/core/v1";

const Greeting = defineResource({
  group: "bench.example.com",
  kind: "Greeting",
  versions: { v1: { spec: z.object({ name: z.string() }) } },
});
const greeter = controller(Greeting, {
  owns: [ConfigMap],
  reconcile: async ({ object, apply }) => {
    await apply(ConfigMap, { metadata: { name: object.metadata.name }, data: { text: "reload ${reload} of " + object.spec.name } });
  },
});
export const greetings = operator({ name: "greetings", controllers: [greeter] });
`;
}
