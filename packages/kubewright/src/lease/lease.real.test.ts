import { type ChildProcess, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { systemClock } from "@kubewright/core/clock";
import { parseDuration } from "@kubewright/core/meta";
import { type ControlPlane, startControlPlane } from "@kubewright/testing/control-plane";
import { controller, installCRDs, operator } from "kubewright";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { type Client, createClient } from "../client/index.js";
import { defineResource } from "../definition/index.js";
import { Lease } from "../k8s/coordination/v1.gen.js";
import { ConfigMap } from "../k8s/core/v1.gen.js";
import { Role, RoleBinding } from "../k8s/rbac/v1.gen.js";
import { HttpsTransport } from "../transport/index.js";
import type { LeaderElectionOptions } from "./index.js";

const times = { leaseDuration: "6s", renewDeadline: "4s", retryPeriod: "500ms" } as const;
const leaseDurationMs = parseDuration(times.leaseDuration);
const retryPeriodMs = parseDuration(times.retryPeriod);
/** The longest retry period of a waiting candidate. */
const longestPauseMs = retryPeriodMs * 2.2;
/** Tolerance for a busy machine. */
const slackMs = 2_000;

const Beat = defineResource({
  group: "example.com",
  kind: "Beat",
  versions: { v1: { spec: z.object({ busyMs: z.int32().default(0) }) } },
});

/** Interval between two writes: longer than a write takes to be observed, so that the process can be stopped in between. */
const pauseMs = 100;

/** The process under test: while it leads, it keeps writing a ConfigMap with its name as field manager. "a" blocks its main thread on request. */
const operatorSource = `
  import { controller, defineResource, operator, z } from "kubewright";
  import { ConfigMap } from "kubewright/k8s/core/v1";
  const { KUBECONFIG_FILE, IDENTITY, OPTIONS } = process.env;
  const Beat = defineResource({
    group: "example.com",
    kind: "Beat",
    versions: { v1: { spec: z.object({ busyMs: z.int32().default(0) }) } },
  });
  let count = 0;
  let computed = 0;
  const beat = controller(Beat, {
    owns: [ConfigMap],
    fieldManager: IDENTITY,
    reconcile: async ({ object, apply, requeueAfter }) => {
      const { busyMs } = object.spec;
      if (IDENTITY === "a" && busyMs > computed) {
        console.error("Computing");
        for (const end = performance.now() + busyMs; performance.now() < end; );
        computed = busyMs;
      }
      await apply(ConfigMap, { metadata: { name: "beat" }, data: { by: IDENTITY, count: String(count++), computed: String(computed) } });
      return requeueAfter("${pauseMs}ms");
    },
  });
  await operator({ name: "beat-operator", controllers: [beat] }).run({
    kubeconfig: KUBECONFIG_FILE,
    namespace: "default",
    leaderElection: { namespace: "default", identity: IDENTITY, ...JSON.parse(OPTIONS) },
  });
`;

/** One replica. */
class Replica {
  readonly name: string;
  readonly process: ChildProcess;
  readonly exited: Promise<number | string | null>;
  readonly output: string[] = [];
  readonly #waiting = new Set<() => void>();

  constructor(name: string, kubeconfig: string, options: LeaderElectionOptions) {
    this.name = name;
    const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
    const args = ["--conditions=kubewright-source", `--import=${tsx}`, "--input-type=module", "--eval", operatorSource];
    this.process = spawn(process.execPath, args, {
      cwd: import.meta.dirname,
      env: { ...process.env, KUBECONFIG_FILE: kubeconfig, IDENTITY: name, OPTIONS: JSON.stringify(options) },
      stdio: ["ignore", "ignore", "pipe"],
    });
    this.exited = new Promise((resolve) => this.process.once("exit", (code, signal) => resolve(code ?? signal)));
    const { stderr } = this.process;
    if (stderr === null) throw new TypeError("Cannot read the output of the replica");
    createInterface({ input: stderr }).on("line", (line) => {
      this.output.push(line);
      for (const look of this.#waiting) look();
    });
  }

  async printed(text: string): Promise<void> {
    const found = new Promise<void>((resolve) => {
      const look = (): void => {
        if (!this.output.some((line) => line.includes(text))) return;
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
      look();
    });
    const ended = this.exited.then((code) => {
      throw new Error(`${this.name} exited with ${code} before it printed "${text}":\n${this.output.join("\n")}`);
    });
    await Promise.race([found, ended]);
  }
}

/** A write of the ConfigMap, as a watch event. */
interface Write {
  readonly by: string;
  readonly managers: readonly string[];
  readonly computed: string;
  readonly resourceVersion: number;
  readonly atMs: number;
}

let plane: ControlPlane;
let transport: HttpsTransport;
let client: Client;
let kubeconfig: string;
const replicas: Replica[] = [];

beforeAll(async () => {
  plane = await startControlPlane();
  const { url: server, caCertificate, admin } = plane;
  const connection = { server, caCertificate, namespace: "default" };
  transport = new HttpsTransport(
    { ...connection, credentials: { kind: "token", token: admin.token } },
    { clock: systemClock },
  );
  client = createClient(transport);
  await installCRDs([Beat], { client, clock: systemClock, fieldManager: "test" });
  // The replica gets only the derived RBAC rules.
  const beat = controller(Beat, { owns: [ConfigMap], reconcile: async () => {} });
  const rules = operator({ name: "beat-operator", controllers: [beat] }).rules({ leaderElection: true });
  await client.create(Role, { metadata: { name: "beat" }, rules: [...rules] });
  await client.create(RoleBinding, {
    metadata: { name: "beat" },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "beat" },
    subjects: [{ kind: "User", apiGroup: "rbac.authorization.k8s.io", name: plane.restricted.name }],
  });
  kubeconfig = plane.kubeconfigFile(plane.restricted);
});
afterAll(async () => {
  await transport?.close();
  await plane?.stop();
});
afterEach(async () => {
  for (const { process } of replicas) process.kill("SIGKILL");
  await Promise.all(replicas.splice(0).map(({ exited }) => exited));
  await client.delete(Beat, "beat").catch(() => {});
  await client.delete(ConfigMap, "beat").catch(() => {});
  await client.delete(Lease, "beat-operator").catch(() => {});
});

async function start(name: string, options: LeaderElectionOptions = {}): Promise<Replica> {
  const replica = new Replica(name, kubeconfig, { ...times, ...options });
  replicas.push(replica);
  await replica.printed("waiting for the Lease");
  return replica;
}

/** The writes so far, and a way to wait for the first that matches. */
async function watchWrites() {
  const stop = new AbortController();
  const seen: Write[] = [];
  const waiting = new Set<() => void>();
  const events = await client.watch(ConfigMap, {
    fields: { "metadata.name": "beat" },
    managedFields: true,
    signal: stop.signal,
  });
  const ended = (async () => {
    for await (const event of events) {
      if (event.type !== "ADDED" && event.type !== "MODIFIED") continue;
      const { metadata, data } = event.object;
      seen.push({
        by: data?.["by"] ?? "",
        computed: data?.["computed"] ?? "",
        managers: (metadata.managedFields ?? []).map(({ manager }) => manager ?? ""),
        resourceVersion: Number(metadata.resourceVersion),
        atMs: performance.now(),
      });
      for (const look of [...waiting]) look();
    }
  })().catch(() => {});
  const first = (fits: (write: Write) => boolean): Promise<Write> =>
    new Promise((resolve) => {
      const look = (): void => {
        const write = seen.find(fits);
        if (write === undefined) return;
        waiting.delete(look);
        resolve(write);
      };
      waiting.add(look);
      look();
    });
  const close = async (): Promise<void> => {
    stop.abort();
    await ended;
  };
  return { seen, first, [Symbol.asyncDispose]: close };
}

/** Two replicas; the first is the leader and writes. */
async function pair(options: LeaderElectionOptions = {}) {
  await client.create(Beat, { metadata: { name: "beat" }, spec: {} });
  const writes = await watchWrites();
  const first = await start("a", options);
  await first.printed("Operator is the leader");
  const second = await start("b", options);
  await writes.first(({ by }) => by === "a");
  return { first, second, writes };
}

const last = (writes: readonly Write[]): Write | undefined => writes.at(-1);

test("after a leader is killed, the other replica takes over when the lease expires, and not before", async () => {
  const { first, second, writes } = await pair();
  await using _ = writes;
  first.process.kill("SIGKILL");
  await first.exited;
  const killedMs = performance.now();
  const { atMs } = await writes.first(({ by }) => by === "b");
  expect(second.output.some((line) => line.includes("Operator is the leader"))).toBe(true);
  expect(atMs - killedMs).toBeGreaterThan(leaseDurationMs - retryPeriodMs - slackMs / 2);
  expect(atMs - killedMs).toBeLessThan(leaseDurationMs + 2 * longestPauseMs + slackMs);
});

test("a leader that gets SIGTERM releases the lease, and the other replica acquires it at its next attempt", async () => {
  const { first, writes } = await pair();
  await using _ = writes;
  first.process.kill("SIGTERM");
  expect(await first.exited).toBe(0);
  const endedMs = performance.now();
  const { atMs, resourceVersion } = await writes.first(({ by }) => by === "b");
  expect(atMs - endedMs).toBeLessThan(longestPauseMs + slackMs);
  expect(writes.seen.filter((write) => write.resourceVersion > resourceVersion && write.by === "a")).toEqual([]);
});

test("a leader that was stopped and continued after another took over writes nothing, and exits with an error", async () => {
  const { first, writes } = await pair();
  await using _ = writes;
  // Between two writes, so that the next one starts after the lease was lost. A request that is stopped within the 0.1 ms between the last
  // deadline check and the kernel cannot be prevented.
  const from = writes.seen.length;
  await writes.first((write) => writes.seen.indexOf(write) >= from);
  first.process.kill("SIGSTOP");
  const takeOver = await writes.first(({ by }) => by === "b");
  const lastOfFirst = last(writes.seen.filter(({ by }) => by === "a"));
  first.process.kill("SIGCONT");
  expect(await first.exited).toBe(1);
  expect(first.output.join("\n")).toContain("the lease is lost");
  // Later writes of the other replica were observed, so the list of writes is complete up to there.
  const { resourceVersion } = await client.get(ConfigMap, "beat").then(({ metadata }) => metadata);
  await writes.first((write) => write.resourceVersion > Number(resourceVersion));
  const ofFirst = writes.seen.filter(({ by }) => by === "a");
  expect(last(ofFirst)).toEqual(lastOfFirst);
  expect(lastOfFirst?.resourceVersion).toBeLessThan(takeOver.resourceVersion);
  expect(last(writes.seen)?.managers).toContain("b");
});

test("a leader whose main thread blocks for two lease durations keeps its lease", async () => {
  const { first, second, writes } = await pair();
  await using _ = writes;
  const busyMs = leaseDurationMs * 2;
  await client.patch(Beat, "beat", { merge: { spec: { busyMs } } });
  await first.printed("Computing");
  const { by } = await writes.first((write) => write.by === "b" || write.computed === String(busyMs));
  expect(by).toBe("a");
  expect(writes.seen.filter((write) => write.by === "b")).toEqual([]);
  expect(second.output.some((line) => line.includes("Operator is the leader"))).toBe(false);
  expect((await client.get(Lease, "beat-operator")).spec).toMatchObject({ holderIdentity: "a", leaseTransitions: 0 });
});

test("a leader whose main thread blocks for too long is replaced, and its later writes are not sent", async () => {
  const { first, writes } = await pair({ maxSilence: "1500ms" });
  await using _ = writes;
  const busyMs = leaseDurationMs * 3;
  await client.patch(Beat, "beat", { merge: { spec: { busyMs } } });
  await first.printed("Computing");
  const takeOver = await writes.first(({ by }) => by === "b");
  // Its main thread was still blocked when the other became leader, and then tried to write.
  expect(first.process.exitCode).toBeNull();
  expect(await first.exited).toBe(1);
  expect(first.output.join("\n")).toContain("the lease is lost");
  const { resourceVersion } = await client.get(ConfigMap, "beat").then(({ metadata }) => metadata);
  const ofFirst = writes.seen.filter(({ by }) => by === "a");
  expect(last(ofFirst)?.computed).toBe("0");
  expect(last(ofFirst)?.resourceVersion).toBeLessThan(takeOver.resourceVersion);
  expect(Number(resourceVersion)).toBeGreaterThanOrEqual(takeOver.resourceVersion);
});
