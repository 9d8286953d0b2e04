/** Replicas as processes with sharding on a real server: they are stopped, continued, killed and terminated. */
import { type ChildProcess, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { systemClock } from "@kubewright/core/clock";
import { startControlPlane } from "@kubewright/testing/control-plane";
import { controller, operator } from "kubewright";
import { expect, test } from "vitest";
import { createClient } from "../client/index.js";
import { Lease } from "../k8s/coordination/v1.gen.js";
import { ConfigMap, Secret } from "../k8s/core/v1.gen.js";
import { Role, RoleBinding } from "../k8s/rbac/v1.gen.js";
import { HttpsTransport, loadConnection } from "../transport/index.js";

const times = { leaseDuration: "6s", renewDeadline: "4s", retryPeriod: "500ms", shards: 8, namespace: "default" };

/** All replicas write at the same ticks of the machine's clock, so that one can be stopped between two ticks. */
const beatMs = 500;

/** The process under test: writes a ConfigMap with its own name for each Secret at each tick. */
const operatorSource = `
  import { controller, operator } from "kubewright";
  import { ConfigMap, Secret } from "kubewright/k8s/core/v1";
  const { KUBECONFIG_FILE, IDENTITY, OPTIONS } = process.env;
  let count = 0;
  const beat = controller(Secret, {
    name: "beat",
    owns: [ConfigMap],
    fieldManager: IDENTITY,
    workers: 4,
    reconcile: async ({ object, apply, requeueAfter }) => {
      await apply(ConfigMap, { metadata: { name: object.metadata.name }, data: { by: IDENTITY, count: String(count++) } });
      return requeueAfter(\`\${${beatMs} - (Date.now() % ${beatMs})}ms\`);
    },
  });
  await operator({ name: "beat-operator", controllers: [beat] }).run({
    kubeconfig: KUBECONFIG_FILE,
    namespace: "default",
    sharding: { identity: IDENTITY, ...JSON.parse(OPTIONS) },
  });
`;

class Replica {
  readonly process: ChildProcess;
  readonly exited: Promise<number | string | null>;
  readonly output: string[] = [];

  constructor(identity: string, kubeconfig: string) {
    const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
    const args = ["--conditions=kubewright-source", `--import=${tsx}`, "--input-type=module", "--eval", operatorSource];
    const env = { ...process.env, KUBECONFIG_FILE: kubeconfig, IDENTITY: identity, OPTIONS: JSON.stringify(times) };
    this.process = spawn(process.execPath, args, {
      cwd: import.meta.dirname,
      env,
      stdio: ["ignore", "ignore", "pipe"],
    });
    this.exited = new Promise((resolve) => this.process.once("exit", (code, signal) => resolve(code ?? signal)));
    if (this.process.stderr)
      createInterface({ input: this.process.stderr }).on("line", (line) => this.output.push(line));
  }
}

interface Write {
  readonly name: string;
  readonly by: string;
  readonly version: number;
}

test("each object is written by one replica at a time: by another after SIGSTOP, SIGKILL and SIGTERM, and never by a late one", async () => {
  await using plane = await startControlPlane();
  const kubeconfig = plane.kubeconfigFile(plane.restricted);
  const connection = await loadConnection({ kubeconfig: plane.kubeconfigFile(plane.admin) });
  const transport = new HttpsTransport(connection, { clock: systemClock });
  const client = createClient(transport);
  // The replica gets only the derived RBAC rules.
  const described = controller(Secret, { name: "beat", owns: [ConfigMap], reconcile: () => {} });
  const rules = operator({ name: "beat-operator", controllers: [described] }).rules({ sharding: true });
  await client.create(Role, { metadata: { name: "beat" }, rules: [...rules] });
  await client.create(RoleBinding, {
    metadata: { name: "beat" },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "beat" },
    subjects: [{ kind: "User", apiGroup: "rbac.authorization.k8s.io", name: plane.restricted.name }],
  });
  const names = Array.from({ length: 16 }, (_, index) => `beat-${index}`);
  for (const name of names) await client.create(Secret, { metadata: { name } });

  const writes: Write[] = [];
  const stop = new AbortController();
  const events = await client.watch(ConfigMap, { signal: stop.signal });
  const watching = (async () => {
    for await (const event of events) {
      if (event.type !== "ADDED" && event.type !== "MODIFIED") continue;
      const { metadata, data } = event.object;
      writes.push({ name: metadata.name, by: data?.["by"] ?? "", version: Number(metadata.resourceVersion) });
    }
  })().catch(() => {});
  /** The recent last writer of each object. */
  const writers = async (): Promise<Set<string>> => {
    const from = writes.length;
    await delay(1_000);
    const lately = writes.slice(from);
    return new Set(
      names.every((name) => lately.some((write) => write.name === name)) ? lately.map(({ by }) => by) : [],
    );
  };
  const until = async (wanted: readonly string[], what: string): Promise<void> => {
    const endMs = performance.now() + 40_000;
    for (;;) {
      const found = await writers();
      if (found.size === wanted.length && wanted.every((who) => found.has(who))) return;
      if (performance.now() > endMs) throw new Error(`Not reached: ${what}; ${[...found].join()}`);
    }
  };
  const replicas = new Map<string, Replica>();
  const start = (identity: string): Replica => {
    const replica = new Replica(identity, kubeconfig);
    replicas.set(identity, replica);
    return replica;
  };
  try {
    const a = start("a");
    await until(["a"], "a works alone");
    const b = start("b");
    await until(["a", "b"], "a and b share");

    // Between two ticks: a request that is stopped between the last deadline check and the kernel cannot be prevented.
    await delay(beatMs - (Date.now() % beatMs) + beatMs / 2);
    a.process.kill("SIGSTOP");
    await until(["b"], "b works alone after a was stopped");
    a.process.kill("SIGCONT");
    const continuedAt = writes.length;
    expect(await a.exited).toBe(1);
    expect(a.output.join("\n")).toContain("the lease is lost");
    await delay(1_000);
    expect(writes.slice(continuedAt).filter(({ by }) => by === "a")).toEqual([]);

    const c = start("c");
    await until(["b", "c"], "b and c share");
    b.process.kill("SIGKILL");
    await b.exited;
    const killedMs = performance.now();
    await until(["c"], "c works alone after b was killed");
    const afterKillMs = performance.now() - killedMs;
    start("d");
    await until(["c", "d"], "c and d share");
    c.process.kill("SIGTERM");
    expect(await c.exited).toBe(0);
    const endedMs = performance.now();
    await until(["d"], "d works alone after c has ended");
    // A graceful stop hands over; after a kill the lease must expire first.
    expect(performance.now() - endedMs).toBeLessThan(afterKillMs);

    // Each object had few consecutive writers, and none came back after another took over.
    for (const name of names) {
      const turns = writes.filter((write) => write.name === name).map(({ by }) => by);
      const order = turns.filter((by, index) => by !== turns[index - 1]);
      expect(new Set(order).size, `${name}: ${order.join(" ")}`).toBe(order.length);
    }
    const members: string[] = [];
    for await (const { metadata } of client.list(Lease))
      if (metadata.name.includes("-member-")) members.push(metadata.name);
    expect(members.length).toBeLessThanOrEqual(3);
  } finally {
    for (const { process } of replicas.values()) process.kill("SIGKILL");
    await Promise.all([...replicas.values()].map(({ exited }) => exited));
    stop.abort();
    await watching;
    await transport.close();
  }
}, 240_000);
