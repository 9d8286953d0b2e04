/**
 * The journey of one object through Kubewright, told by a program that runs.
 *
 * Someone creates a Greeting. The controller below makes a ConfigMap for it and says so in its status. On the way every
 * datum passes seven stages, each a folder of `src/`, and each folder's `index.ts` says what it takes and gives:
 *
 *     watch → cache → route → queue → reconcile → client → status, and back to watch
 *
 * Read this file first, then the doors of the stages in that order.
 */
import { expect, test } from "vitest";
import { z } from "zod";
import type { Stage, TraceDetail } from "../src/client/index.js";
import { defineResource } from "../src/definition/index.js";
import { controller } from "../src/reconcile/index.js";
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

/** Starts the controller, and keeps what passes each stage. */
async function start() {
  const passed: (TraceDetail & { readonly stage: Stage })[] = [];
  const trace = (stage: Stage, detail: TraceDetail): void => void passed.push({ stage, ...detail });
  const running = await runController(greeting, { install: [Greeting], trace });
  // The two empty lists that the controller began with are not part of the journey.
  passed.length = 0;
  return { passed, running };
}

/** What came to each stage first, in the order in which it came: the writes of a run come back while the run goes on. */
function arrivals(passed: readonly (TraceDetail & { readonly stage: Stage })[]) {
  return passed.filter(({ stage }, index) => passed.findIndex((other) => other.stage === stage) === index);
}

test("one object passes the seven stages in order: watch, cache, route, queue, reconcile, client, status", async () => {
  const { passed, running } = await start();
  await using _ = running;

  await running.client.create(Greeting, { metadata: { name: "world" }, spec: { name: "world" } });
  await running.settle();

  expect(arrivals(passed).map(({ stage, key, what }) => `${stage}: ${what} ${key}`)).toEqual([
    "watch: added default/world", //          the API server tells that the object is there
    "cache: added default/world", //          the local copy has it, and knows what changed
    "route: for default/world", //            the change concerns the object itself
    "queue: taken default/world", //          a worker takes its key, and no other worker can
    "reconcile: reconcile default/world", //  the function above looks at it
    "client: apply default/world", //         and applies a ConfigMap
    "status: patch default/world", //         what came of it is written down
  ]);
  expect((await running.client.get(ConfigMap, "world")).data).toEqual({ text: "Hello, world!" });
  expect((await running.client.get(Greeting, "world")).status).toEqual({ text: "Hello, world!" });
});

test("both writes come back by the watch, and the journey ends where there is nothing left to change", async () => {
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
  expect(running.runtime.idle).toBe(true);
  expect(running.runtime.failing.size).toBe(0);
});

test("a child that someone changes takes the same way, and is put right", async () => {
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
