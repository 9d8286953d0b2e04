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
/** The longest pause of one who waits. */
const longestPauseMs = retryPeriodMs * 2.2;
/** What a busy machine may add to a bound. */
const slackMs = 2_000;

const Beat = defineResource({
  group: "example.com",
  kind: "Beat",
  versions: { v1: { spec: z.object({ busyMs: z.int32().default(0) }) } },
});

/** Between two writes of the program: longer than a write takes to be seen, so that it can be stopped in between. */
const pauseMs = 100;

/** The program under test: while it leads it writes a ConfigMap again and again, as the field manager that it is named after. "a" computes when told to. */
const program = `
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

/** One replica of the program. */
class Replica {
  readonly name: string;
  readonly process: ChildProcess;
  readonly exited: Promise<number | string | null>;
  readonly output: string[] = [];
  readonly #waiting = new Set<() => void>();

  constructor(name: string, kubeconfig: string, options: LeaderElectionOptions) {
    this.name = name;
    const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
    const args = ["--conditions=kubewright-source", `--import=${tsx}`, "--input-type=module", "--eval", program];
    this.process = spawn(process.execPath, args, {
      cwd: import.meta.dirname,
      env: { ...process.env, KUBECONFIG_FILE: kubeconfig, IDENTITY: name, OPTIONS: JSON.stringify(options) },
      stdio: ["ignore", "ignore", "pipe"],
    });
    this.exited = new Promise((resolve) => this.process.once("exit", (code, signal) => resolve(code ?? signal)));
    const { stderr } = this.process;
    if (stderr === null) throw new TypeError("Cannot read the output of the program");
    createInterface({ input: stderr }).on("line", (line) => {
      this.output.push(line);
      for (const look of this.#waiting) look();
    });
  }

  async saying(text: string): Promise<void> {
    const said = new Promise<void>((resolve) => {
      const look = (): void => {
        if (!this.output.some((line) => line.includes(text))) return;
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
      look();
    });
    const ended = this.exited.then((code) => {
      throw new Error(`${this.name} ended with ${code} before it said "${text}":\n${this.output.join("\n")}`);
    });
    await Promise.race([said, ended]);
  }
}

/** A write of the ConfigMap, as the server tells of it. */
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
  // The derived rules are all that the program gets.
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
  await replica.saying("waiting to lead");
  return replica;
}

/** The writes so far, and a way to wait for the first that fits. */
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

/** Two replicas, of which the first leads and writes. */
async function pair(options: LeaderElectionOptions = {}) {
  await client.create(Beat, { metadata: { name: "beat" }, spec: {} });
  const writes = await watchWrites();
  const first = await start("a", options);
  await first.saying("Operator leads");
  const second = await start("b", options);
  await writes.first(({ by }) => by === "a");
  return { first, second, writes };
}

const last = (writes: readonly Write[]): Write | undefined => writes.at(-1);

test("a leader that is killed is followed when its lease has run out, and not before", async () => {
  const { first, second, writes } = await pair();
  await using _ = writes;
  first.process.kill("SIGKILL");
  await first.exited;
  const killedMs = performance.now();
  const { atMs } = await writes.first(({ by }) => by === "b");
  expect(second.output.some((line) => line.includes("Operator leads"))).toBe(true);
  expect(atMs - killedMs).toBeGreaterThan(leaseDurationMs - retryPeriodMs - slackMs / 2);
  expect(atMs - killedMs).toBeLessThan(leaseDurationMs + 2 * longestPauseMs + slackMs);
});

test("a leader that is asked to stop gives the lease back, and the other leads at its next attempt", async () => {
  const { first, writes } = await pair();
  await using _ = writes;
  first.process.kill("SIGTERM");
  expect(await first.exited).toBe(0);
  const endedMs = performance.now();
  const { atMs, resourceVersion } = await writes.first(({ by }) => by === "b");
  expect(atMs - endedMs).toBeLessThan(longestPauseMs + slackMs);
  expect(writes.seen.filter((write) => write.resourceVersion > resourceVersion && write.by === "a")).toEqual([]);
});

test("a leader that was stopped and continued after another took over writes nothing, and ends with an error", async () => {
  const { first, writes } = await pair();
  await using _ = writes;
  // Between two writes, so that the next one is wanted after the lease was lost. No clock in the process can help a request that is
  // stopped within the tenth of a millisecond between the last look at the deadline and the kernel.
  const from = writes.seen.length;
  await writes.first((write) => writes.seen.indexOf(write) >= from);
  first.process.kill("SIGSTOP");
  const takeOver = await writes.first(({ by }) => by === "b");
  const lastOfFirst = last(writes.seen.filter(({ by }) => by === "a"));
  first.process.kill("SIGCONT");
  expect(await first.exited).toBe(1);
  expect(first.output.join("\n")).toContain("the lease is lost");
  // Later writes of the other came through: the view is complete up to there.
  const { resourceVersion } = await client.get(ConfigMap, "beat").then(({ metadata }) => metadata);
  await writes.first((write) => write.resourceVersion > Number(resourceVersion));
  const ofFirst = writes.seen.filter(({ by }) => by === "a");
  expect(last(ofFirst)).toEqual(lastOfFirst);
  expect(lastOfFirst?.resourceVersion).toBeLessThan(takeOver.resourceVersion);
  expect(last(writes.seen)?.managers).toContain("b");
});

test("a leader whose main thread computes for two whole leases keeps its lease", async () => {
  const { first, second, writes } = await pair();
  await using _ = writes;
  const busyMs = leaseDurationMs * 2;
  await client.patch(Beat, "beat", { merge: { spec: { busyMs } } });
  await first.saying("Computing");
  const { by } = await writes.first((write) => write.by === "b" || write.computed === String(busyMs));
  expect(by).toBe("a");
  expect(writes.seen.filter((write) => write.by === "b")).toEqual([]);
  expect(second.output.some((line) => line.includes("Operator leads"))).toBe(false);
  expect((await client.get(Lease, "beat-operator")).spec).toMatchObject({ holderIdentity: "a", leaseTransitions: 0 });
});

test("a leader whose main thread is silent for too long is followed, and what it then wants to write is not sent", async () => {
  const { first, writes } = await pair({ maxSilence: "1500ms" });
  await using _ = writes;
  const busyMs = leaseDurationMs * 3;
  await client.patch(Beat, "beat", { merge: { spec: { busyMs } } });
  await first.saying("Computing");
  const takeOver = await writes.first(({ by }) => by === "b");
  // It was still computing when the other led, and then tried to write.
  expect(first.process.exitCode).toBeNull();
  expect(await first.exited).toBe(1);
  expect(first.output.join("\n")).toContain("the lease is lost");
  const { resourceVersion } = await client.get(ConfigMap, "beat").then(({ metadata }) => metadata);
  const ofFirst = writes.seen.filter(({ by }) => by === "a");
  expect(last(ofFirst)?.computed).toBe("0");
  expect(last(ofFirst)?.resourceVersion).toBeLessThan(takeOver.resourceVersion);
  expect(Number(resourceVersion)).toBeGreaterThanOrEqual(takeOver.resourceVersion);
});
