/**
 * The basic guarantee: under any failures, the last reconcile of an object sees its last state, and its desired state is reached in the end.
 */
import { startCluster } from "@kubewright/cluster";
import { FakeClock } from "@kubewright/core/clock";
import fc from "fast-check";
import { expect, test } from "vitest";
import { InformerSet } from "../src/cache/index.js";
import { createClient } from "../src/client/index.js";
import { ControllerLoop, controller } from "../src/reconcile/index.js";
import { watch } from "../src/route/index.js";
import { FaultyTransport } from "./faulty-transport.js";
import { ConfigMap, Secret } from "./kinds.js";

const names = ["a", "b"];
const name = fc.constantFrom(...names);
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ op: fc.constant("write" as const), name }) },
  fc.record({ op: fc.constant("delete" as const), name }),
  fc.record({ op: fc.constant("writeOther" as const), name }),
  fc.record({ op: fc.constant("deleteOther" as const), name }),
  fc.record({ op: fc.constant("meddle" as const), name }),
  fc.record({ op: fc.constant("endStreams" as const), how: fc.constantFrom("lost", "closed", "expired") }),
  fc.record({
    op: fc.constant("fail" as const),
    how: fc.constantFrom("lostRequests", "lostResponses"),
    count: fc.nat(4),
  }),
  fc.record({ op: fc.constant("throw" as const), count: fc.nat(3) }),
  fc.record({ op: fc.constant("hold" as const) }),
  fc.record({ op: fc.constant("release" as const) }),
  fc.record({ op: fc.constant("advance" as const), ms: fc.constantFrom(1, 900, 40_000) }),
  fc.record({ op: fc.constant("turns" as const), count: fc.nat(6) }),
);

const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
};

/** A Secret is reconciled into a ConfigMap of its name; a ConfigMap `other-<name>` is watched and read. */
async function start(streaming: boolean) {
  const clock = new FakeClock();
  const cluster = await startCluster({ clock });
  const client = createClient(cluster.transport);
  const transport = new FaultyTransport(cluster.transport);
  /** What the last reconcile of each Secret saw. */
  const seen = new Map<string, string>();
  const chance = { throws: 0 };
  const copying = controller(Secret, {
    owns: [ConfigMap],
    watches: [watch(ConfigMap, { to: ({ metadata }) => /^other-(.*)$/.exec(metadata.name)?.[1] })],
    workers: 2,
    reconcile: async ({ object, find, apply }) => {
      const other = await find(ConfigMap, `other-${object.metadata.name}`);
      seen.set(object.metadata.name, `${object.data?.["v"]} ${other?.data?.["v"]}`);
      if (chance.throws > 0) {
        chance.throws -= 1;
        throw new Error("by chance");
      }
      await apply(ConfigMap, { metadata: { name: object.metadata.name }, data: { copy: object.data?.["v"] ?? "" } });
    },
  });
  const common = { client: createClient(transport), clock, random: () => 0.5 };
  const informers = new InformerSet({ ...common, managed: [ConfigMap], streaming });
  const loop = new ControllerLoop({ ...common, controller: copying, informers });
  const abort = new AbortController();
  const watching = informers.run(abort.signal);
  const starting = loop.start(abort.signal);

  /** Stops all faults, and advances time until no work is left. */
  const settle = async (): Promise<void> => {
    Object.assign(transport, { lostRequests: 0, lostResponses: 0 });
    chance.throws = 0;
    transport.release();
    for (let quiet = 0, rounds = 0; quiet < 3; rounds++) {
      if (rounds > 500) throw new Error("Not settled");
      await turns(5);
      const rests = cluster.idle && loop.idle && loop.queue.delayed === 0;
      quiet = rests ? quiet + 1 : 0;
      if (!rests) clock.advance(clock.nextTimerInMs ?? 0);
    }
  };
  return {
    clock,
    client,
    transport,
    seen,
    chance,
    settle,
    [Symbol.asyncDispose]: async () => {
      transport.release();
      await starting;
      await loop.stop();
      abort.abort();
      await watching;
      await cluster.close();
    },
  };
}

test("for any interleaving of changes, broken watches, relists, failed requests and failed reconciles, the last reconcile sees the last state", async () => {
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.array(step, { maxLength: 40 }), async (streaming, steps) => {
      await using run = await start(streaming);
      const { client, transport } = run;
      let value = 0;
      const put = async (kind: typeof Secret | typeof ConfigMap, which: string, data: object): Promise<void> => {
        await client.apply(kind as typeof ConfigMap, { metadata: { name: which }, ...data } as never, {
          fieldManager: "test",
          force: true,
        });
      };
      const remove = async (kind: typeof Secret | typeof ConfigMap, which: string): Promise<void> => {
        if ((await client.find(kind as typeof ConfigMap, which)) !== undefined) await client.delete(kind, which);
      };
      for (const next of steps) {
        value += 1;
        switch (next.op) {
          case "write":
            await put(Secret, next.name, { data: { v: btoa(`${value}`) } });
            break;
          case "delete":
            await remove(Secret, next.name);
            break;
          case "writeOther":
            await put(ConfigMap, `other-${next.name}`, { data: { v: `${value}` } });
            break;
          case "deleteOther":
            await remove(ConfigMap, `other-${next.name}`);
            break;
          case "meddle":
            if ((await client.find(ConfigMap, next.name)) !== undefined)
              await client.patch(ConfigMap, next.name, { merge: { data: { copy: `meddled ${value}` } } });
            break;
          case "endStreams":
            transport.endStreams(next.how);
            break;
          case "fail":
            transport[next.how] += next.count;
            break;
          case "throw":
            run.chance.throws += next.count;
            break;
          case "hold":
            transport.hold();
            break;
          case "release":
            transport.release();
            break;
          case "advance":
            run.clock.advance(next.ms);
            break;
          case "turns":
            await turns(next.count);
            break;
          default:
            next satisfies never;
        }
      }
      await run.settle();
      for (const which of names) {
        const object = await client.find(Secret, which);
        if (object === undefined) continue;
        const other = await client.find(ConfigMap, `other-${which}`);
        expect(run.seen.get(which)).toBe(`${object.data?.["v"]} ${other?.data?.["v"]}`);
        expect((await client.get(ConfigMap, which)).data?.["copy"]).toBe(object.data?.["v"]);
      }
    }),
    { numRuns: 120 },
  );
});
