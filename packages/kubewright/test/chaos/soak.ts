import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { get as httpGet } from "node:http";
import { request } from "node:https";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { systemClock } from "@kubewright/core/clock";
import { isConflict, isNotFound } from "@kubewright/core/errors";
import { type ControlPlane, startControlPlane } from "@kubewright/testing/control-plane";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Client, createClient, objectMeta } from "../../src/client/index.js";
import { CustomResourceDefinition } from "../../src/k8s/apiextensions/v1.gen.js";
import { ConfigMap } from "../../src/k8s/core/v1.gen.js";
import { HttpsTransport, parseKubeconfig } from "../../src/transport/index.js";
import { CuttingProxy } from "../cutting-proxy.js";
import { Chaos, type ChaosCommand, type ChaosReport, workers } from "./chaos-kind.js";

/** How long a soak takes, and what it consists of. */
export interface SoakOptions {
  /** Minutes of faults; longer until each fault has been injected. */
  readonly minutes: number;
  readonly objects: number;
  /** Repeats the order of faults. */
  readonly seed: number;
}

const path = "/apis/chaos.example.com/v1/namespaces/default/chaoses";

let plane: ControlPlane;
let proxy: CuttingProxy;
let transport: HttpsTransport;
let client: Client;
let child: ChildProcess;
let readyPort = 0;

async function start(): Promise<void> {
  plane = await startControlPlane();
  proxy = await CuttingProxy.start(Number(new URL(plane.url).port));
  const file = plane.kubeconfigFile(plane.admin);
  transport = new HttpsTransport(await parseKubeconfig([{ file, text: await readFile(file, "utf8") }]), {
    clock: systemClock,
    // A killed server and a dropped connection must not hold the test up.
    responseTimeout: "5s",
    requestTimeout: "10s",
    maxRetries: 2,
  });
  client = createClient(transport);
  await installChaos();
  child = fork(join(import.meta.dirname, "chaos-operator.ts"), [file, `https://127.0.0.1:${proxy.port}`], {
    execArgv: ["--expose-gc", "--conditions=kubewright-source", "--import=tsx"],
  });
  const [{ port }] = (await once(child, "message")) as [{ port: number }];
  readyPort = port;
}

async function stop(): Promise<void> {
  child?.kill("SIGKILL");
  await transport?.close();
  await proxy?.close();
  await plane?.stop();
}

async function installChaos(): Promise<void> {
  const schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true } as const;
  await client.create(CustomResourceDefinition, {
    metadata: { name: "chaoses.chaos.example.com" },
    spec: {
      group: "chaos.example.com",
      names: { kind: "Chaos", plural: "chaoses" },
      scope: "Namespaced",
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  });
  await until(async () => (await post(chaos("probe", "0"))) === 201, "the CRD is served");
}

/** A generator of numbers in [0, 1), mulberry32: the order of faults can be repeated. */
function randomOf(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
let random = randomOf(0);
const between = (low: number, high: number): number => Math.floor(low + random() * (high - low));

/** As text: hostile objects are too deep for JSON.stringify. `more` are further members of the spec. */
function chaos(name: string, value: string, more = ""): string {
  return `{"apiVersion":"chaos.example.com/v1","kind":"Chaos","metadata":{"name":"${name}"},"spec":{"value":"${value}"${more}}}`;
}

/** The status of the response; undefined if there is none, or only a part of it. */
function post(body: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${plane.admin.token}`, "content-type": "application/json" };
    const signal = AbortSignal.timeout(10_000);
    const options = { method: "POST", headers, ca: plane.caCertificate, agent: false, signal };
    const sent = request(new URL(path, plane.url), options, (response) => {
      const end = (): void => resolve(response.complete ? response.statusCode : undefined);
      response.once("end", end).once("close", end).once("error", end).resume();
    });
    // Servers are killed at any moment: only "close" is certain.
    sent.once("error", () => resolve(undefined)).once("close", () => setImmediate(() => resolve(undefined)));
    sent.end(body);
  });
}

/** Retries until the server, which may be down for a while, has accepted it; a missing object and a conflict end it too. */
async function persistently(send: () => Promise<unknown>): Promise<void> {
  const endMs = performance.now() + 120_000;
  for (;;) {
    try {
      await send();
      return;
    } catch (error) {
      if (isConflict(error) || isNotFound(error)) return;
      if (performance.now() > endMs) throw error;
      await delay(200);
    }
  }
}

async function until(holds: () => Promise<boolean>, what: string, boundMs = 60_000): Promise<void> {
  const endMs = performance.now() + boundMs;
  while (!(await holds().catch(() => false))) {
    if (performance.now() > endMs) throw new Error(`Not reached within ${boundMs / 1_000} s: ${what}`);
    await delay(500);
  }
}

/** Waits until every object is reconciled; else the error names the objects and what the operator reports about them. */
async function untilReconciled(when: string, boundMs: number): Promise<void> {
  try {
    await until(async () => (await unreconciled()).length === 0, when, boundMs);
  } catch (error) {
    const [wrong, { failing }] = [await unreconciled(), await report()];
    const [first = ""] = wrong;
    const states = [await client.find(Chaos, first), await client.find(ConfigMap, first)].map((object) =>
      JSON.stringify(object),
    );
    throw new Error(
      `Not reconciled ${when}: ${wrong.slice(0, 10).join(", ")} (${wrong.length}); failing: ${failing.slice(0, 10).join("; ")} (${failing.length}); the first: ${states.join(" and ")}`,
      { cause: error },
    );
  }
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const left = [...items];
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let item = left.pop(); item !== undefined; item = left.pop()) await work(item);
    }),
  );
}

const command = (sent: ChaosCommand): void => void child.send(sent);

async function report(): Promise<ChaosReport> {
  command({ kind: "report" });
  const [state] = (await once(child, "message", { signal: AbortSignal.timeout(60_000) })) as [ChaosReport];
  return state;
}

/** The state at rest: keys in the queue keep what caused them, and events what they are about. */
async function reportWhenIdle(): Promise<ChaosReport> {
  await until(async () => (await report()).idle, "the operator is idle", 120_000);
  return report();
}

/** The objects whose ConfigMap does not have their value. */
async function unreconciled(): Promise<string[]> {
  const copies = new Map<string, string>();
  for await (const { metadata, data } of client.list(ConfigMap)) copies.set(metadata.name, data?.["value"] ?? "");
  const wrong: string[] = [];
  for await (const object of client.list(Chaos)) {
    const { name } = objectMeta(object);
    const { value } = (object as unknown as { readonly spec: { readonly value: string } }).spec;
    if (copies.get(name) !== value) wrong.push(name);
  }
  return wrong;
}

/** Members that broke programs before: depth, magnitudes, and names that JavaScript objects treat specially. */
const hostile: readonly (() => string)[] = [
  () => `,"deep":${"[".repeat(9_000)}${"]".repeat(9_000)}`,
  () => `,"deep":${'{"a":'.repeat(3_000)}1${"}".repeat(3_000)}`,
  () => ',"big":[9007199254740993,-9223372036854775808,1e308]',
  () => ',"__proto__":{"polluted":true},"constructor":{"prototype":1},"toString":null,"":""',
  () => `,"long":"${"x".repeat(500_000)}"`,
  () => `,"many":{${Array.from({ length: 5_000 }, (_, index) => `"k${index}":${index}`).join(",")}}`,
  () => ',"text":"\\u0000\\u2028\\ud83d\\ude00"',
];

let names: string[] = [];
let serial = 0;
const patchValue = (name: string): Promise<void> =>
  persistently(() => client.patch(Chaos, name, { merge: { spec: { value: `v${serial++}` } } }));
const remove = async (name: string): Promise<void> => {
  await persistently(() => client.delete(Chaos, name));
  // No garbage collector runs here.
  await persistently(() => client.delete(ConfigMap, name));
};

const faults: Readonly<Record<string, () => Promise<unknown>>> = {
  "drop connections": async () => proxy.cut(),
  "drop in a response": async () => proxy.cutAfter(between(200, 20_000)),
  "refuse connections": async () => {
    proxy.refuse();
    await delay(between(1_000, 8_000));
    proxy.accept();
  },
  // Shorter than the 60 s for which readiness may be wrong: the kernel of the proxy still acknowledges, so only the silence of a watch shows it, after 90 s.
  "stall connections": async () => {
    proxy.stall();
    await delay(between(5_000, 40_000));
    if (random() < 0.5) proxy.cut();
    proxy.resume();
  },
  "429 burst": async () => command({ kind: "burst", status: 429, forMs: between(2_000, 10_000) }),
  "500 burst": async () => command({ kind: "burst", status: 500, forMs: between(2_000, 10_000) }),
  "kill kube-apiserver": async () => {
    await plane.killApiServer();
    await delay(between(500, 4_000));
    await plane.startApiServer();
  },
  "kill etcd": () => plane.restartEtcd(),
  "back up etcd": () => plane.backUpEtcd(),
  "restore etcd": async () => {
    await plane.restoreEtcd();
    // Names that were created since the backup are gone, and deleted ones are back.
    await persistently(async () => {
      const found: string[] = [];
      for await (const object of client.list(Chaos)) found.push(objectMeta(object).name);
      names = found.filter((name) => name !== "probe");
    });
  },
  "clock jump": async () => command({ kind: "clock", offsetMs: between(-7_200_000, 7_200_000) }),
  SIGSTOP: async () => {
    child.kill("SIGSTOP");
    await delay(between(2_000, 20_000));
    child.kill("SIGCONT");
  },
  "hostile objects": async () => {
    const created = hostile.map((members, index) => ({ name: `hostile-${serial}-${index}`, members: members() }));
    serial++;
    await inParallel(created, ({ name, members }) => post(chaos(name, "hostile", members)));
    await delay(5_000);
    await inParallel(created, ({ name }) => remove(name));
  },
};

/** Twelve runs of 500 objects: more than the run history keeps. */
const warmUpWrites = 6_000;

/** Seconds in a row for which readiness contradicts the probe object; see {@link judgeReadiness}. */
const readiness = { wrong: 0, longest: 0, judged: 0 };

/**
 * Once per second changes the probe object and compares `/readyz` with it: ready while a change of five seconds ago is not reconciled is wrong, and not
 * ready while the last change is reconciled. Seconds in which the server cannot be asked do not count.
 */
async function judgeReadiness(signal: AbortSignal): Promise<void> {
  let written: { readonly tick: number; readonly atMs: number }[] = [];
  for (let tick = 1; !signal.aborted; tick++) {
    const startedMs = performance.now();
    try {
      await client.patch(Chaos, "probe", { merge: { spec: { value: String(tick) } } });
      written.push({ tick, atMs: startedMs });
      const copied = Number((await client.find(ConfigMap, "probe"))?.data?.["value"] ?? 0);
      const isReady = await ready();
      const due = written.findLast(({ atMs }) => atMs < startedMs - 5_000)?.tick ?? 0;
      const isWrong = isReady ? copied < due : copied >= tick - 1;
      readiness.judged += 1;
      readiness.wrong = isWrong ? readiness.wrong + 1 : 0;
      readiness.longest = Math.max(readiness.longest, readiness.wrong);
      written = written.slice(-200);
    } catch {
      written = [];
    }
    await delay(Math.max(0, 1_000 - (performance.now() - startedMs)));
  }
}

function ready(): Promise<boolean> {
  return new Promise((resolve) => {
    const sent = httpGet(
      { port: readyPort, host: "127.0.0.1", path: "/readyz", timeout: 1_000, agent: false },
      (response) => {
        response.resume();
        resolve(response.statusCode === 200);
      },
    );
    sent
      .once("timeout", () => sent.destroy())
      .once("error", () => resolve(false))
      .once("close", () => resolve(false));
  });
}

/** Changes random objects, and replaces some, until the signal aborts. */
async function load(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    for (let round = 0; round < 10; round++) await patchValue(names[between(0, names.length)] ?? "");
    const at = between(0, names.length);
    const [old] = names.splice(at, 1, `object-${serial}`);
    if (old !== undefined) await remove(old);
    await persistently(async () => {
      const status = await post(chaos(names[at] ?? "", "new"));
      if (status !== 201 && status !== 409) throw new Error(`${status}`);
    });
    serial++;
    await delay(100);
  }
}

/**
 * Tests an operator on a real kube-apiserver under dropped and stalled connections, bursts of 429 and 500, killed servers, a restored etcd, clock jumps,
 * SIGSTOP and hostile objects: at the end every object has converged, no worker is lost, and memory is within 1.2 times that before.
 */
export function testSoak({ minutes, objects, seed }: SoakOptions): void {
  random = randomOf(seed);
  beforeAll(start, 120_000);
  afterAll(stop);

  test(
    `an operator with ${objects} objects survives ${minutes} minutes of chaos (seed ${seed})`,
    async () => {
      names = Array.from({ length: objects }, (_, index) => `object-${index}`);
      serial = objects;
      await inParallel(names, (name) => post(chaos(name, "first")));
      await untilReconciled("at the start", 120_000);
      // Fills what is bounded by its size (recorded events, run history), for the comparison of memory.
      for (let written = 0; written < warmUpWrites; written += objects) await inParallel(names, patchValue);
      await untilReconciled("after the warm-up", 120_000);
      await plane.backUpEtcd();
      const before = await reportWhenIdle();

      const stop = new AbortController();
      const beside = [judgeReadiness(stop.signal), load(stop.signal)];
      const endMs = performance.now() + minutes * 60_000;
      const done: string[] = [];
      const isOver = (): boolean => performance.now() > endMs && done.length >= Object.keys(faults).length;
      while (!isOver()) {
        const order = Object.keys(faults).toSorted(() => random() - 0.5);
        for (const name of order) {
          if (isOver()) break;
          process.stdout.write(`${new Date().toISOString()} ${name}\n`);
          await faults[name]?.();
          done.push(name);
          await delay(between(1_000, 6_000));
        }
      }
      stop.abort();
      await Promise.all(beside);
      command({ kind: "clock", offsetMs: 0 });
      process.stdout.write(
        `${done.length} faults, readiness judged in ${readiness.judged} s, wrong for at most ${readiness.longest} s in a row\n`,
      );

      await untilReconciled("at the end", 180_000);
      // As many objects as at the start, for the comparison of memory.
      for (const name of names.slice(objects)) await remove(name);
      await until(ready, "the operator is ready at the end", 120_000);
      const barriers = Array.from({ length: workers }, (_, index) => `barrier-${index}`);
      await inParallel(barriers, (name) => post(chaos(name, "passed")));
      await untilReconciled("when all workers are needed at once", 60_000);
      const after = await reportWhenIdle();
      process.stdout.write(
        `heap ${before.heapBytes} -> ${after.heapBytes}, resident ${before.residentBytes} -> ${after.residentBytes}, ${after.runs} runs\n`,
      );
      expect(child.exitCode).toBeNull();
      expect(after.failing).toEqual([]);
      expect(after.mostOnKey).toBe(1);
      expect(readiness.judged).toBeGreaterThan(minutes * 20);
      expect(readiness.longest).toBeLessThanOrEqual(60);
      expect(after.heapBytes).toBeLessThan(before.heapBytes * 1.2);
    },
    (minutes + 12) * 60_000,
  );
}
