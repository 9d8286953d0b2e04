/**
 * The path of one object through Kubewright, as a test.
 *
 * A client creates a Greeting. The controller below applies a ConfigMap for it and writes its status. On the way every event passes seven stages. Each
 * stage is a folder of `src/`, and its `index.ts` states what it takes and gives:
 *
 *     watch → cache → route → queue → reconcile → client → status, and back to watch
 *
 * Read this file first, then the `index.ts` of each stage in that order.
 */
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";
import type { Stage, StageDetail } from "../src/client/index.js";
import { defineResource } from "../src/definition/index.js";
import { type AnyController, controller, rawController } from "../src/reconcile/index.js";
import { watch } from "../src/route/index.js";
import { ConfigMap } from "./kinds.js";
import { runController } from "./running-controller.js";

const Greeting = defineResource({
  group: "hello.example.com",
  kind: "Greeting",
  versions: {
    v1: {
      spec: z.object({ name: z.string() }),
      status: z.object({ text: z.string().optional() }),
    },
  },
});

const greeting = controller(Greeting, {
  owns: [ConfigMap],
  reconcile: async ({ object, apply, status }) => {
    const text = `Hello, ${object.spec.name}!`;
    await apply(ConfigMap, { metadata: { name: object.metadata.name }, data: { text } });
    status.text = text;
  },
});

/** Starts the controller, and records what passes each stage. */
async function start(started: AnyController = greeting) {
  const passed: (StageDetail & { readonly stage: Stage })[] = [];
  const onStage = (stage: Stage, detail: StageDetail): void => void passed.push({ stage, ...detail });
  const running = await runController(started, { install: [Greeting], onStage });
  // The two empty initial lists are not part of the path.
  passed.length = 0;
  return { passed, running };
}

/** The first arrival at each stage, in order: the watch events of a reconcile's writes arrive while it is still running. */
function arrivals(passed: readonly (StageDetail & { readonly stage: Stage })[]) {
  return passed.filter(({ stage }, index) => passed.findIndex((other) => other.stage === stage) === index);
}

test("one object passes the seven stages in order: watch, cache, route, queue, reconcile, client, status", async () => {
  const { passed, running } = await start();
  await using _ = running;

  await running.client.create(Greeting, { metadata: { name: "world" }, spec: { name: "world" } });
  await running.settle();

  expect(arrivals(passed).map(({ stage, key, what }) => `${stage}: ${what} ${key}`)).toEqual([
    "watch: added default/world", //          the API server sends the event
    "cache: added default/world", //          the cache stores it and knows the change
    "route: for default/world", //            the change requests the object itself
    "queue: taken default/world", //          one worker takes the key
    "reconcile: reconcile default/world", //  the function above runs
    "client: apply default/world", //         it applies a ConfigMap
    "status: patch default/world", //         the status is written at the end
  ]);
  expect((await running.client.get(ConfigMap, "world")).data).toEqual({ text: "Hello, world!" });
  expect((await running.client.get(Greeting, "world")).status).toEqual({ text: "Hello, world!" });
});

test("both writes come back as watch events, and the loop ends when there is nothing left to change", async () => {
  const { passed, running } = await start();
  await using _ = running;

  await running.client.create(Greeting, { metadata: { name: "world" }, spec: { name: "world" } });
  await running.settle();

  const cameBack = passed.slice(5).filter(({ stage }) => stage === "watch");
  expect(cameBack.map(({ kind, what }) => `${kind} ${what}`)).toEqual([
    "/v1/ConfigMap added",
    "hello.example.com/v1/Greeting modified",
  ]);
  expect(passed.filter(({ stage }) => stage === "client" || stage === "status")).toHaveLength(2);
  expect(running.loop.idle).toBe(true);
  expect(running.loop.failing.size).toBe(0);
});

test("a change of a child by another client takes the same path, and is reverted", async () => {
  const { passed, running } = await start();
  await using _ = running;
  await running.client.create(Greeting, { metadata: { name: "world" }, spec: { name: "world" } });
  await running.settle();
  passed.length = 0;

  await running.client.patch(ConfigMap, "world", { merge: { data: { text: "Go away" } } });
  await running.settle();

  expect(passed.slice(0, 6).map(({ stage, what }) => `${stage}: ${what}`)).toEqual([
    "watch: modified",
    "cache: updated",
    "route: owns",
    "queue: taken",
    "reconcile: reconcile",
    "client: apply",
  ]);
  expect((await running.client.get(ConfigMap, "world")).data).toEqual({ text: "Hello, world!" });
});

test("a key of a raw controller takes the same path as an object", async () => {
  const raw = rawController({
    name: "raw",
    watches: [watch(ConfigMap, { to: ({ metadata }) => metadata.labels?.["zone"] })],
    reconcile: () => {},
  });
  const { passed, running } = await start(raw);
  await using _ = running;

  await running.client.create(ConfigMap, { metadata: { name: "settings", labels: { zone: "a" } } });
  await running.settle();

  expect(passed.map(({ stage, key, what }) => `${stage}: ${what} ${key}`)).toEqual([
    "watch: added default/settings",
    "cache: added default/settings",
    "route: watches a",
    "queue: taken a",
    "reconcile: reconcile a",
  ]);
});

/** The files of `src/` that ARCHITECTURE.md lists as the path from the bytes of an event to the write of the status. */
function listedFiles(): readonly string[] {
  const text = readFileSync(new URL("../../../ARCHITECTURE.md", import.meta.url), "utf8");
  const paragraph = text.split("\n\n").find((one) => one.startsWith("A reader opens"));
  let folder = "";
  return [...(paragraph ?? "").matchAll(/`(?:(\w+)\/)?([\w-]+)`/g)].map(([, named = folder, file]) => {
    folder = named;
    return `${folder}/${file}.ts`;
  });
}

test("the path leads through the files that ARCHITECTURE.md lists, 18 at most", async () => {
  const listed = listedFiles();
  expect(listed.length).toBeGreaterThan(10);
  expect(listed.length).toBeLessThanOrEqual(18);
  for (const file of listed) expect(existsSync(new URL(`../src/${file}`, import.meta.url)), file).toBe(true);

  const passed = new Set<string>();
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 100;
  try {
    const running = await runController(greeting, {
      install: [Greeting],
      // Children have a path of their own.
      onStage: (stage) => {
        if (stage === "client") return;
        for (const [, file = ""] of `${new Error().stack}`.matchAll(/packages\/kubewright\/src\/([\w/-]+\.ts)/g))
          passed.add(file);
      },
    });
    await using _ = running;
    await running.client.create(Greeting, { metadata: { name: "world" }, spec: { name: "world" } });
    await running.settle();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
  expect([...passed].filter((file) => !listed.includes(file))).toEqual([]);
});
