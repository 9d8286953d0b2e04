import { Pod } from "kubewright/k8s/core/v1";
import { expect, test } from "vitest";
import { PodStage, type PodStageSpec } from "../src/simulation.js";
import { startVirtualCluster, type VirtualCluster } from "./virtual-cluster.js";

const path = "/api/v1/namespaces/default/pods/web/log";

async function start(spec: PodStageSpec): Promise<VirtualCluster> {
  const world = await startVirtualCluster({ nodes: 1 });
  await world.client.create(PodStage, { metadata: { name: "web" }, spec });
  const containers = [{ name: "app", image: "app:1" }];
  await world.client.create(Pod, { metadata: { name: "web", namespace: "default" }, spec: { containers } });
  await world.rest();
  return world;
}

async function read({ cluster }: VirtualCluster, query: Readonly<Record<string, string>> = {}): Promise<unknown> {
  const { status, body } = await cluster.transport.send({ method: "GET", path, query });
  return status === 200 ? body : (body as { message: string }).message;
}

/** Follows a log and collects its output. */
async function follow({ cluster }: VirtualCluster, query: Readonly<Record<string, string>> = {}) {
  const stream = await cluster.transport.stream({ method: "GET", path, query: { follow: "true", ...query } });
  const seen: { text: string; isClosed: boolean } = { text: "", isClosed: false };
  if (stream.kind !== "stream") throw new Error("the log is not a stream");
  void (async () => {
    for await (const chunk of stream.items) seen.text += chunk;
    seen.isClosed = true;
  })();
  return seen;
}

test("a log has the lines of the PodStage since the container started, filtered by the query", async () => {
  await using world = await start({
    logs: [
      { lines: ["hello", "world"] },
      { lines: ["tick"], after: "5s", every: "10s" },
      { container: "no", lines: ["x"] },
    ],
  });
  expect(await read(world)).toBe("hello\nworld\n");
  await world.advance(25);
  expect(await read(world)).toBe("hello\nworld\ntick\ntick\ntick\n");
  expect(await read(world, { tailLines: "2" })).toBe("tick\ntick\n");
  expect(await read(world, { tailLines: "0" })).toBe("");
  expect(await read(world, { limitBytes: "8" })).toBe("hello\nwo");
  expect(await read(world, { sinceSeconds: "12" })).toBe("tick\ntick\n");
  const container = (await world.client.get(Pod, { namespace: "default", name: "web" })).status?.containerStatuses?.[0];
  const startedMs = Date.parse(container?.state?.running?.startedAt ?? "");
  const at = (ms: number): string => new Date(startedMs + ms).toISOString();
  expect(await read(world, { sinceTime: at(15_000).replace(".000", "") })).toBe("tick\ntick\n");
  expect(await read(world, { timestamps: "true", tailLines: "1" })).toBe(
    `${at(25_000).replace("Z", "000000Z")} tick\n`,
  );
  expect(await read(world, { previous: "true" })).toBe('previous terminated container "app" in pod "web" not found');
});

test("a followed log streams until the container terminates, and the previous log is kept", async () => {
  await using world = await start({
    run: { for: "10s", exitCode: 1, times: 1 },
    logs: [{ lines: ["start"] }, { lines: ["tick"], after: "4s", every: "4s" }],
  });
  const seen = await follow(world);
  const tail = await follow(world, { tailLines: "0", timestamps: "false" });
  await world.advance(5);
  expect(seen).toEqual({ text: "start\ntick\n", isClosed: false });
  expect(tail).toEqual({ text: "tick\n", isClosed: false });
  await world.advance(4);
  expect(seen).toEqual({ text: "start\ntick\ntick\n", isClosed: false });
  await world.advance(4);
  expect(seen).toEqual({ text: "start\ntick\ntick\n", isClosed: true });
  expect(await read(world, { previous: "true" })).toBe("start\ntick\ntick\n");
  expect(await read(world)).toBe("start\n");
  const last = await follow(world);
  await world.client.delete(Pod, { namespace: "default", name: "web" });
  await world.rest();
  expect(last).toEqual({ text: "start\n", isClosed: true });
});

test("a waiting container has no log, and an aborted follow leaves no timer", async () => {
  await using world = await start({ pull: { fails: true }, logs: [{ lines: ["x"], every: "1s" }] });
  expect(await read(world)).toBe('container "app" in pod "web" is waiting to start: image can\'t be pulled');
  await world.client.patch(PodStage, "web", { merge: { spec: { pull: null } } });
  await world.rest();
  const timersBefore = world.clock.nextTimerInMs;
  const stop = new AbortController();
  const query = { follow: "true" };
  const stream = await world.cluster.transport.stream({ method: "GET", path, query, signal: stop.signal });
  stop.abort();
  const chunks: unknown[] = [];
  if (stream.kind === "stream") for await (const chunk of stream.items) chunks.push(chunk);
  expect(chunks).toEqual(["x\n"]);
  expect(world.clock.nextTimerInMs).toBe(timersBefore);
  await expect(world.cluster.transport.send({ method: "GET", path, query })).rejects.toThrow("use stream");
});

test("subresources that need a real container return 501 with the reason", async () => {
  await using world = await start({});
  for (const part of ["exec", "attach", "portforward", "proxy"]) {
    const { status, body } = await world.cluster.transport.send({ method: "GET", path: path.replace("log", part) });
    expect([status, (body as { message: string }).message]).toEqual([
      501,
      `Cannot serve "pods/${part}": Pods are simulated and run no containers; declare their status and logs with a PodStage, or use a cluster with real nodes`,
    ]);
  }
});
