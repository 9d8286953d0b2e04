import { Readable } from "node:stream";
import { FakeClock } from "@kubewright/core/clock";
import { type LogFields, silentLogger } from "@kubewright/core/log";
import { expect, test } from "vitest";
import { ScriptedTransport } from "../../test/scripted-transport.js";
import { Website } from "../../test/website.js";
import { createClient } from "../client/index.js";
import { controller } from "../reconcile/index.js";
import { debugHandler, debugPuts } from "./debug-endpoint.js";
import type { EndpointAnswer } from "./http-endpoint.js";
import { operator } from "./index.js";
import { LogThreshold } from "./leveled-logger.js";
import { listenMetrics } from "./metrics-endpoint.js";
import { Profiles } from "./profiles.js";

function start() {
  const clock = new FakeClock();
  const threshold = new LogThreshold("info");
  const logged: LogFields[] = [];
  const logger = { ...silentLogger, info: (fields: LogFields) => void logged.push(fields) };
  // A snapshot of a process that runs many tests takes minutes.
  const profiles = new Profiles(clock, () => Readable.from(['{"snapshot":', "{}}"]));
  const handle = debugHandler({ threshold, logger, clock, profiles });
  const ask = (path: string, method = "GET", signal = new AbortController().signal): Promise<EndpointAnswer> =>
    handle(new URL(path, "http://localhost"), { method, authorization: undefined, signal }) ??
    Promise.reject(new Error("unknown path"));
  return { clock, threshold, logged, handle, ask };
}

test("a CPU profile is recorded for the given time, one at a time", async () => {
  const { clock, ask } = start();
  const recording = ask("/debug/pprof/profile?seconds=5");
  while (clock.pendingTimers === 0) await new Promise((resolve) => setImmediate(resolve));
  expect(await ask("/debug/pprof/profile?seconds=1")).toMatchObject({ status: 409 });
  expect(await ask("/debug/pprof/heap")).toMatchObject({ status: 409 });
  clock.advance(5_000);
  const { status, body, fileName } = await recording;
  expect([status, fileName]).toEqual([200, "operator.cpuprofile"]);
  expect(JSON.parse(String(body))).toMatchObject({ nodes: expect.any(Array), startTime: expect.any(Number) });
});

test("a client that disconnects ends the recording, and the next one may begin", async () => {
  const { clock, ask } = start();
  const client = new AbortController();
  const recording = ask("/debug/pprof/profile", "GET", client.signal);
  while (clock.pendingTimers === 0) await new Promise((resolve) => setImmediate(resolve));
  client.abort(new Error("gone"));
  await expect(recording).rejects.toThrow("gone");
  expect(clock.pendingTimers).toBe(0);
  const next = ask("/debug/pprof/profile?seconds=1");
  while (clock.pendingTimers === 0) await new Promise((resolve) => setImmediate(resolve));
  clock.advance(1_000);
  expect(await next).toMatchObject({ status: 200 });
});

test("the duration of a profile is bounded", async () => {
  const { ask } = start();
  for (const wanted of ["0", "61", "-1", "x", "1e9", ""])
    expect(await ask(`/debug/pprof/profile?seconds=${wanted}`)).toMatchObject({ status: 400 });
  expect(await ask("/debug/pprof/profile?seconds=60", "HEAD")).toMatchObject({ status: 200, body: "" });
});

test("a heap snapshot is streamed, and a client that disconnects makes way for the next profile", async () => {
  const { ask, clock } = start();
  const { body, fileName } = await ask("/debug/pprof/heap");
  expect(fileName).toBe("operator.heapsnapshot");
  if (typeof body === "string") throw new Error("not a stream");
  expect(await ask("/debug/pprof/profile?seconds=1")).toMatchObject({ status: 409 });
  const closed = new Promise((resolve) => body.on("error", () => {}).once("close", resolve));
  for await (const chunk of body) {
    expect(String(chunk)).toBe('{"snapshot":');
    break;
  }
  await closed;
  const next = ask("/debug/pprof/profile?seconds=1");
  while (clock.pendingTimers === 0) await new Promise((resolve) => setImmediate(resolve));
  clock.advance(1_000);
  expect(await next).toMatchObject({ status: 200 });
});

test("the log level is read and changed, and the change is logged", async () => {
  const { ask, threshold, logged } = start();
  expect(await ask("/debug/log-level")).toMatchObject({ status: 200, body: "info\n" });
  expect(await ask("/debug/log-level?level=debug")).toMatchObject({ body: "info\n" });
  expect(await ask("/debug/log-level?level=debug", "PUT")).toMatchObject({ status: 200, body: "debug\n" });
  expect(threshold.level).toBe("debug");
  expect(logged).toEqual([{ before: "info", level: "debug" }]);
  expect(await ask("/debug/log-level?level=loud", "PUT")).toMatchObject({
    status: 400,
    body: `Cannot log at level "loud": it is one of debug, info, warn, error\n`,
  });
});

test("debug endpoints have the authorization of metrics, by path and verb", async () => {
  const asked: string[] = [];
  const transport = new ScriptedTransport(({ body }) => {
    const { spec } = body as { spec: { token?: string; nonResourceAttributes?: { verb: string; path: string } } };
    if (spec.token !== undefined) return { body: { status: { authenticated: true, user: { username: spec.token } } } };
    const { verb, path } = spec.nonResourceAttributes ?? { verb: "", path: "" };
    asked.push(`${verb} ${path}`);
    return { body: { status: { allowed: verb === "get" } } };
  });
  const { handle, threshold } = start();
  const metrics = { text: async () => "up 1\n", contentType: "text/plain" };
  const options = {
    security: {},
    client: createClient(transport),
    logger: silentLogger,
    debug: handle,
    puts: debugPuts,
  };
  const endpoint = await listenMetrics("127.0.0.1:0", metrics, options);
  try {
    const { request } = await import("node:https");
    const ask = (method: string, path: string, token?: string): Promise<number> =>
      new Promise((resolve, reject) => {
        const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
        const { port } = endpoint;
        request({ port, path, method, headers, rejectUnauthorized: false, agent: false }, (response) => {
          response.resume().on("end", () => resolve(response.statusCode ?? 0));
        })
          .on("error", reject)
          .end();
      });
    expect(await ask("GET", "/debug/log-level")).toBe(401);
    expect(await ask("GET", "/debug/log-level", "reader")).toBe(200);
    expect(await ask("PUT", "/debug/log-level?level=debug", "reader")).toBe(403);
    expect(await ask("PUT", "/metrics", "reader")).toBe(405);
    expect(threshold.level).toBe("info");
    expect(asked).toEqual(["get /debug/log-level", "put /debug/log-level"]);
  } finally {
    await endpoint.close();
  }
});

test("debug endpoints that other machines could reach without authorization are rejected", async () => {
  const made = operator({ name: "web", controllers: [controller(Website, { reconcile: () => undefined })] });
  const run = (options: object) => made.run({ debugEndpoints: true, logger: silentLogger, ...options });
  await expect(run({})).rejects.toThrow("Cannot serve debug endpoints: set `metricsAddress`");
  await expect(run({ metricsAddress: ":8080" })).rejects.toThrow('":8080" can be reached from other machines');
  await expect(run({ metricsAddress: ":8443", secureMetrics: { authorize: false } })).rejects.toThrow(
    "without authorization",
  );
});
