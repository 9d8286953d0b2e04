import { getEventListeners } from "node:events";
import { isOperatorError } from "@kubewright/core/errors";
import { expect, test } from "vitest";
import { startWorld } from "../../test/embedded-world.js";
import { shop, Website } from "../../test/website.js";
import { ConfigMap, Secret } from "../k8s/core/v1.gen.js";
import { operator } from "../manager/index.js";
import { controller, live, rawController } from "./index.js";

/** Starts an operator whose run waits for a ConfigMap. */
async function startWaiting() {
  const world = await startWorld();
  const results: unknown[] = [];
  const signals = new Set<AbortSignal>();
  const waiting = controller(Website, {
    uses: [ConfigMap],
    reconcile: async ({ waitFor, signal }) => {
      signals.add(signal);
      try {
        const found = await waitFor(ConfigMap, "settings", {
          until: (settings) => settings?.data?.["ready"] === "yes",
          timeout: "1m",
        });
        results.push(found?.data);
      } catch (error) {
        results.push(isOperatorError(error) ? error.code : error);
      }
    },
  });
  const made = operator({ name: "web", controllers: [waiting] });
  const running = await made.start({ ...world.options, installCRDs: true });
  await world.client.create(Website, shop);
  await world.settle(running);
  const close = async (): Promise<void> => {
    await running.stop();
    await world[Symbol.asyncDispose]();
  };
  return { ...world, running, results, signals, [Symbol.asyncDispose]: close };
}

test("a run waits for an object in the cache without a request, counts as idle meanwhile, and removes its listeners", async () => {
  await using world = await startWaiting();
  const { client, running, results, settle, signals } = world;
  expect(running.idle).toBe(true);
  expect(results).toEqual([]);
  await client.create(ConfigMap, { metadata: { name: "settings" }, data: { ready: "no" } });
  await settle(running);
  expect(results).toEqual([]);
  await client.patch(ConfigMap, "settings", { merge: { data: { ready: "yes" } } });
  await settle(running);
  expect(results).toEqual([{ ready: "yes" }]);
  for (const signal of signals) expect(getEventListeners(signal, "abort")).toEqual([]);
  // A condition that holds already.
  await client.patch(Website, "shop", { merge: { metadata: { labels: { run: "again" } } } });
  await settle(running);
  expect(results).toHaveLength(2);
});

test("a wait ends with WAIT_TIMEOUT, or with the run's signal when the operator stops", async () => {
  await using world = await startWaiting();
  const { clock, running, results, settle, client } = world;
  clock.advance(60_000);
  await settle(running);
  expect(results).toEqual(["WAIT_TIMEOUT"]);
  await client.patch(Website, "shop", { merge: { metadata: { labels: { run: "again" } } } });
  await settle(running);
  await running.stop();
  expect(results).toEqual(["WAIT_TIMEOUT", "STOPPED"]);
});

test("a kind that is not cached cannot be waited for, and an error of the condition fails the wait", async () => {
  await using world = await startWorld();
  const errors: string[] = [];
  const raw = rawController({
    name: "raw",
    keys: ["all"],
    uses: [live(Secret), ConfigMap],
    reconcile: async ({ waitFor }) => {
      const note = (error: unknown) => void errors.push((error as Error).message);
      const options = { until: () => true, timeout: "1s" } as const;
      await waitFor(Secret as never, { namespace: "default", name: "a" } as never, options).catch(note);
      const broken = {
        until: () => {
          throw new Error("broken condition");
        },
        timeout: "1s",
      } as const;
      await waitFor(ConfigMap, { namespace: "default", name: "a" }, broken).catch(note);
    },
  });
  await using running = await operator({ name: "web", controllers: [raw] }).start(world.options);
  await world.settle(running);
  expect(errors).toEqual([
    'Cannot wait for Secret "default/a": it is not cached; declare it in `owns`, `uses` or `watches`',
    "broken condition",
  ]);
});
