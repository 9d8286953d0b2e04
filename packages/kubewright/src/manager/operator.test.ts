import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { type Cluster, startCluster } from "@kubewright/cluster";
import type { LogFields, Logger } from "@kubewright/core/log";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { createClient } from "../client/index.js";
import { defineResource } from "../definition/index.js";
import { Lease } from "../k8s/coordination/v1.gen.js";
import { ConfigMap } from "../k8s/core/v1.gen.js";
import { controller } from "../reconcile/index.js";
import { operator } from "./index.js";

const Note = defineResource({
  group: "example.com",
  kind: "Note",
  versions: { v1: { spec: z.object({ text: z.string() }), status: z.object({ seen: z.boolean() }) } },
});
const note = controller(Note, {
  owns: [ConfigMap],
  reconcile: async ({ object, apply, status }) => {
    await apply(ConfigMap, { metadata: { name: object.metadata.name }, data: { text: object.spec.text } });
    status.seen = true;
  },
});
const noteOperator = operator({ name: "note-operator", controllers: [note] });

let cluster: Cluster;
let folder: string;
beforeEach(async () => {
  cluster = await startCluster();
  folder = mkdtempSync(join(tmpdir(), "kubewright-operator-"));
});
afterEach(async () => {
  await cluster.close();
  rmSync(folder, { recursive: true });
});

/** A logger whose messages tests await instead of polling for them. */
class LineLogger implements Logger {
  readonly lines: string[] = [];
  readonly #waiting: { text: string; resolve: () => void }[] = [];
  readonly debug = (_: LogFields, message: string): void => this.#add(message);
  readonly info = this.debug;
  readonly warn = this.debug;
  readonly error = this.debug;
  child(): Logger {
    return this;
  }
  logged(text: string): Promise<void> {
    if (this.lines.includes(text)) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ text, resolve }));
  }
  #add(message: string): void {
    this.lines.push(message);
    for (const { resolve } of this.#waiting.filter(({ text }) => text === message)) resolve();
  }
}

async function kubeconfig(): Promise<string> {
  const file = join(folder, "kubeconfig");
  writeFileSync(file, (await cluster.listen()).kubeconfig);
  return file;
}

const hostIn = (file: string): string => /server: "?https?:\/\/([^/\s"]+)/.exec(readFileSync(file, "utf8"))?.[1] ?? "";

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test("an operator without controllers, with two controllers of one name, or with an invalid name is rejected", () => {
  expect(() => operator({ name: "x", controllers: [] })).toThrow("it has neither a controller nor a webhook");
  expect(() => operator({ name: "x", controllers: [note, note] })).toThrow(`two controllers have the name "note"`);
  expect(() => operator({ name: "X_y", controllers: [note] })).toThrow("lower case letters");
});

test("a missing CRD fails the start with its name, and nothing is left running", async () => {
  await expect(noteOperator.start({ transport: cluster.transport })).rejects.toMatchObject({
    code: "CONFIG_INVALID",
    message: expect.stringContaining(`the server does not serve Note of "example.com/v1"`),
  });
  expect(cluster.idle).toBe(true);
});

test("an operator installs its CRDs, reconciles, and stops with no work in progress", async () => {
  const client = createClient(cluster.transport);
  const running = await noteOperator.start({ transport: cluster.transport, installCRDs: true });
  const events = await client.watch(ConfigMap);
  await client.create(Note, { metadata: { name: "first" }, spec: { text: "hello" } });
  for await (const event of events) if (event.type === "ADDED" && event.object.data?.["text"] === "hello") break;
  expect(running.whyNotReady()).toBeUndefined();
  await running.stop();
  await running.stop();
  expect([running.busy(), running.failing(), cluster.idle]).toEqual([[], [], true]);
});

test("a restart with the same CRDs does not write them", async () => {
  const start = async (): Promise<void> => {
    const running = await noteOperator.start({ transport: cluster.transport, installCRDs: true });
    await running.stop();
  };
  await start();
  const { revision } = cluster;
  await start();
  expect(cluster.revision).toBe(revision);
});

test("run serves health checks and metrics, and returns when its signal aborts", async () => {
  const [healthPort, metricsPort] = [await freePort(), await freePort()];
  const stop = new AbortController();
  const logger = new LineLogger();
  let reachable = true;
  const file = await kubeconfig();
  const ended = noteOperator.run({
    kubeconfig: file,
    installCRDs: true,
    healthAddress: `127.0.0.1:${healthPort}`,
    metricsAddress: `127.0.0.1:${metricsPort}`,
    readyChecks: {
      provider: () => {
        if (!reachable) throw new Error("the provider is away");
      },
    },
    healthChecks: { memory: () => {} },
    logger,
    signal: stop.signal,
  });
  await logger.logged("Operator started");
  const get = async (port: number, path: string): Promise<string> =>
    (await fetch(`http://127.0.0.1:${port}${path}`)).text();
  expect(await get(healthPort, "/healthz")).toBe("ok");
  expect(await get(healthPort, "/healthz/memory")).toBe("ok");
  expect(await get(healthPort, "/readyz?verbose")).toBe("[+]provider ok\n[+]caches ok\ncheck passed\n");
  reachable = false;
  expect(await get(healthPort, "/readyz")).toContain("[-]provider failed: reason withheld");
  expect(await get(metricsPort, "/metrics")).toContain(
    `controller_runtime_max_concurrent_reconciles{controller="note"} 1`,
  );
  expect(await get(metricsPort, "/metrics")).toMatch(
    /rest_client_requests_total\{code="200",method="GET",host="[^"]+"\} [1-9]/,
  );
  const host = hostIn(file);
  expect(await get(metricsPort, "/metrics")).toMatch(
    new RegExp(`rest_client_request_duration_seconds_count\\{verb="GET",host="${host}"\\} [1-9]`),
  );
  stop.abort();
  await ended;
  expect(logger.lines).toContain("Operator stopped");
  await expect(get(healthPort, "/healthz")).rejects.toThrow();
});

test("health checks and metrics can share an address", async () => {
  const port = await freePort();
  const stop = new AbortController();
  const logger = new LineLogger();
  const address = `127.0.0.1:${port}`;
  const ended = noteOperator.run({
    kubeconfig: await kubeconfig(),
    installCRDs: true,
    healthAddress: address,
    metricsAddress: address,
    logger,
    signal: stop.signal,
  });
  await logger.logged("Operator started");
  const get = async (path: string): Promise<string> => (await fetch(`http://${address}${path}`)).text();
  expect(await get("/healthz")).toBe("ok");
  expect(await get("/readyz?verbose")).toBe("[+]caches ok\ncheck passed\n");
  expect(await get("/metrics")).toContain("controller_runtime_max_concurrent_reconciles");
  expect(await get("/other")).toBe("404 page not found\n");
  stop.abort();
  await ended;
});

test("run with leader election renews the lease in a worker thread, reports it, and releases the lease on stop", async () => {
  const [healthPort, metricsPort] = [await freePort(), await freePort()];
  const stop = new AbortController();
  const logger = new LineLogger();
  const file = await kubeconfig();
  const ended = noteOperator.run({
    kubeconfig: file,
    installCRDs: true,
    healthAddress: `127.0.0.1:${healthPort}`,
    metricsAddress: `127.0.0.1:${metricsPort}`,
    leaderElection: { namespace: "default", identity: "me" },
    logger,
    signal: stop.signal,
  });
  await logger.logged("Operator is the leader");
  const client = createClient(cluster.transport);
  const holder = async () => (await client.get(Lease, "note-operator")).spec.holderIdentity;
  const get = async (port: number, path: string): Promise<string> =>
    (await fetch(`http://127.0.0.1:${port}${path}`)).text();
  expect(await holder()).toBe("me");
  expect(await get(healthPort, "/healthz?verbose")).toBe("[+]workers ok\n[+]leaderElection ok\ncheck passed\n");
  expect(await get(metricsPort, "/metrics")).toContain(`leader_election_master_status{name="note-operator"} 1`);
  // The only POST of this operator before it leads: it creates its Lease.
  const host = hostIn(file);
  expect(await get(metricsPort, "/metrics")).toContain(
    `rest_client_requests_total{code="201",method="POST",host="${host}"} 1`,
  );
  stop.abort();
  await ended;
  expect(await holder()).toBe("");
});

test("run outside a cluster requires the namespace of the lease", async () => {
  await expect(
    noteOperator.run({
      kubeconfig: await kubeconfig(),
      leaderElection: { serviceAccountDir: folder },
      logger: new LineLogger(),
    }),
  ).rejects.toMatchObject({ code: "CONFIG_INVALID", message: expect.stringContaining(`set "namespace"`) });
});

test("an invalid address is rejected before anything starts", async () => {
  const file = await kubeconfig();
  await expect(
    noteOperator.run({ kubeconfig: file, healthAddress: "8081", logger: new LineLogger() }),
  ).rejects.toMatchObject({
    code: "CONFIG_INVALID",
    message: expect.stringContaining(`Cannot listen on "8081"`),
  });
});

test("a failure of run that the program does not catch prints one sentence, without a stack, and exits with 1", async () => {
  const sample = join(import.meta.dirname, "..", "..", "..", "..", "operators", "sample", "src", "main.ts");
  const args = ["--conditions=kubewright-source", "--import=tsx", sample, "--kubeconfig", "/nowhere/config"];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "pipe"] });
  const exit = new Promise<number | null>((resolve) => child.once("exit", resolve));
  expect(await text(child.stderr)).toMatch(/^error: Cannot read kubeconfig "\/nowhere\/config": .*\n$/);
  expect(await exit).toBe(1);
});

test("a process exits with code 0 after SIGTERM, and run removes its signal handlers", async () => {
  const before = process.listenerCount("SIGTERM");
  const stop = new AbortController();
  stop.abort();
  await noteOperator.run({ kubeconfig: await kubeconfig(), logger: new LineLogger(), signal: stop.signal });
  expect(process.listenerCount("SIGTERM")).toBe(before);

  const sample = join(import.meta.dirname, "..", "..", "..", "..", "operators", "sample", "src", "main.ts");
  const args = [
    "--conditions=kubewright-source",
    "--import=tsx",
    sample,
    "--kubeconfig",
    await kubeconfig(),
    "--install-crds",
    "--health-probe-bind-address=0",
  ];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "pipe"] });
  const exit = new Promise<number | null>((resolve) => child.once("exit", resolve));
  for await (const line of createInterface({ input: child.stderr })) {
    if (line.includes("Operator started")) child.kill("SIGTERM");
  }
  expect(await exit).toBe(0);
});
