import type { Logger } from "@kubewright/core/log";
import { expect, test } from "vitest";
import { startWorld } from "../../test/embedded-world.js";
import { shop, Website } from "../../test/website.js";
import { startCache } from "../cache/index.js";
import { createClient } from "../client/index.js";
import { ConfigMap } from "../k8s/core/v1.gen.js";
import { controller } from "../reconcile/index.js";
import { operator } from "./index.js";

const error = new Error("of user code");
const failures: readonly (readonly [string, () => void])[] = [
  [
    "throw",
    () => {
      throw error;
    },
  ],
  ["reject", () => Promise.reject(error)],
];

// An unhandled rejection ends a process, and fails this file.
test.each(failures)("when loggers, listeners and `gone` %s, nothing stops", async (_, fail) => {
  await using world = await startWorld();
  const { client, clock } = world;
  const logger: Logger = { debug: fail, info: fail, warn: fail, error: fail, child: () => logger };
  const reconciled = new Set<string>();
  const websites = controller(Website, {
    owns: [ConfigMap],
    gone: fail,
    reconcile: async ({ object, apply, log }) => {
      log.info({}, "begins");
      await apply(ConfigMap, { metadata: { name: object.metadata.name } });
      reconciled.add(object.metadata.name);
    },
  });
  const options = { ...world.options, installCRDs: true, logger, onStage: fail, onRun: fail };
  await using running = await operator({ name: "websites", controllers: [websites] }).start(options);
  await using cache = await startCache(client, { kinds: [ConfigMap], clock, logger });
  cache.onChange(ConfigMap, fail);
  await client.create(Website, shop);
  await world.settle(running);
  await client.delete(Website, "shop");
  await client.create(Website, { ...shop, metadata: { name: "next" } });
  await world.settle(running);
  expect([...reconciled]).toEqual(["shop", "next"]);
  expect([running.failing(), running.whyNotReady()]).toEqual([[], undefined]);
  expect((await cache.list(ConfigMap)).map(({ metadata }) => metadata.name)).toContain("next");
});

test.each(failures)(
  "when a listener of warnings does %s, the request has succeeded all the same",
  async (_, onWarning) => {
    await using world = await startWorld();
    const { transport } = world.options;
    const warned = createClient(
      {
        ...transport,
        send: async (request) => {
          const response = await transport.send(request);
          return { ...response, headers: { ...response.headers, warning: '299 - "old"' } };
        },
      },
      { onWarning },
    );
    expect((await warned.create(ConfigMap, { metadata: { name: "settings" } })).metadata.name).toBe("settings");
  },
);
