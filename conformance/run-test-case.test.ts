import { expect, it } from "vitest";
import { runCase } from "./run-test-case.js";
import type { ApiClient } from "./servers/api-client.js";
import { read, type Step, watch } from "./test-case.js";

const ok = { status: 200, headers: {}, body: {} };

/** A server on which every watch sends these events and then closes. */
function clientWith(events: readonly unknown[]): ApiClient {
  return {
    send: async () => ({ ...ok, status: 201 }),
    watch: async () => {
      const left = [...events];
      return { response: ok, watch: { next: async () => left.shift(), close: async () => {} } };
    },
    close: async () => {},
  };
}

const periodic = { type: "BOOKMARK", object: { metadata: { resourceVersion: "7" } } };
const last = {
  type: "BOOKMARK",
  object: { metadata: { resourceVersion: "8", annotations: { "k8s.io/initial-events-end": "true" } } },
};
const added = { type: "ADDED", object: { metadata: { name: "a" } } };

async function eventsOf(step: Step): Promise<readonly unknown[]> {
  const steps = [{ ...watch("w", "/api/v1/pods"), silent: true }, step];
  const client = clientWith([periodic, last, periodic, added]);
  const { given } = await runCase(client, { name: "any", steps }, { eventMs: 1, untilMs: 1 });
  return given.flatMap((one) => (one.kind === "events" ? one.events : []));
}

it("does not count periodic bookmarks", async () => {
  expect(await eventsOf(read("w", 2))).toEqual([last, added]);
});

it("keeps all bookmarks of a watch that is read to the end", async () => {
  expect(await eventsOf(read("w", "end"))).toEqual([periodic, last, periodic, added]);
});
