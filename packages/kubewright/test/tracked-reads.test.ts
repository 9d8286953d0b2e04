/**
 * The guarantee of tracked reads: for random programs of reads and random changes, after settling the last run of every object has seen the last
 * state of all that it read. No mapping, no requeue.
 */
import { startCluster } from "@kubewright/cluster";
import { FakeClock } from "@kubewright/core/clock";
import fc from "fast-check";
import { expect, test } from "vitest";
import { InformerSet, select } from "../src/cache/index.js";
import { type Client, createClient } from "../src/client/index.js";
import { ConfigMap, Secret } from "../src/k8s/core/v1.gen.js";
import { ControllerLoop, controller } from "../src/reconcile/index.js";

const names = ["a", "b", "c"];
const namespaces = ["default", "kube-system"];
const name = fc.constantFrom(...names);
const namespace = fc.constantFrom(...namespaces);
const value = fc.constantFrom("1", "2");

const read = fc.oneof(
  fc.record({ op: fc.constant("find" as const), name, namespace }),
  /** The rest of the program runs only where it exists. */
  fc.record({ op: fc.constant("get" as const), name, namespace }),
  fc.record({ op: fc.constant("namespace" as const), namespace }),
  fc.record({
    op: fc.constant("labels" as const),
    labels: fc.constantFrom("v=1", "v in (2)", "v!=1", "!v", "v"),
    namespace,
  }),
  fc.record({ op: fc.constant("fields" as const), name }),
  fc.record({ op: fc.constant("index" as const), value }),
);
type Read = typeof read extends fc.Arbitrary<infer R> ? R : never;

const change = fc.oneof(
  { weight: 4, arbitrary: fc.record({ op: fc.constant("put" as const), name, namespace, v: fc.option(value) }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant("delete" as const), name, namespace }) },
  fc.record({ op: fc.constant("throw" as const) }),
  fc.record({ op: fc.constant("turns" as const), count: fc.nat(8) }),
);

const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
};

/** The results of a program, from whichever source. */
async function follow(
  program: readonly Read[],
  source: {
    readonly find: (which: { name: string; namespace: string }) => Promise<Found | undefined>;
    readonly list: (options: Listing) => Promise<readonly Found[]>;
  },
): Promise<string[]> {
  const results: string[] = [];
  const all = (found: readonly Found[]): string => found.map(show).sort().join(",");
  for (const step of program) {
    switch (step.op) {
      case "find":
      case "get": {
        const found = await source.find({ name: step.name, namespace: step.namespace });
        results.push(found === undefined ? "none" : show(found));
        if (found === undefined && step.op === "get") return results;
        break;
      }
      case "namespace":
        results.push(all(await source.list({ namespace: step.namespace })));
        break;
      case "labels":
        results.push(all(await source.list({ namespace: step.namespace, labels: step.labels })));
        break;
      case "fields":
        results.push(all(await source.list({ allNamespaces: true, fields: { "metadata.name": step.name } })));
        break;
      case "index":
        results.push(all(await source.list({ allNamespaces: true, index: { v: step.value } })));
        break;
      default:
        step satisfies never;
    }
  }
  return results;
}
type Found = {
  readonly metadata: {
    readonly namespace?: string | undefined;
    readonly name: string;
    readonly resourceVersion?: string | undefined;
  };
};
interface Listing {
  readonly namespace?: string;
  readonly allNamespaces?: boolean;
  readonly labels?: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly index?: { readonly v: string };
}
const show = ({ metadata }: Found): string => `${metadata.namespace}/${metadata.name}@${metadata.resourceVersion}`;

/** The same reads from the server, which has labels where the cache has an index. */
const onServer = (client: Client): Parameters<typeof follow>[1] => ({
  find: (which) => client.find(ConfigMap, which),
  list: async ({ index, ...options }) => {
    const found: Found[] = [];
    for await (const object of client.list(ConfigMap, index === undefined ? options : { allNamespaces: true }))
      if (index === undefined || object.data?.["v"] === index.v) found.push(object);
    return found;
  },
});

test("for random programs of reads and random changes, the last run of every object has seen the last state of all that it read", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(read, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 }),
      fc.array(change, { maxLength: 25 }),
      async (programs, changes) => {
        const clock = new FakeClock();
        const cluster = await startCluster({ clock });
        const client = createClient(cluster.transport);
        const seen = new Map<string, string[]>();
        const chance = { throws: 0 };
        const reading = controller(Secret, {
          select: { labels: { program: "yes" } },
          uses: [select(ConfigMap, { indexes: { v: ({ data }) => data?.["v"] } })],
          workers: 2,
          reconcile: async ({ object, find, list }) => {
            const program = programs[Number(object.metadata.name.slice(1))] ?? [];
            const results = await follow(program, {
              find: async (which) => {
                const found = await find(ConfigMap, which);
                await turns(1);
                return found;
              },
              list: (options) => list(ConfigMap, options),
            });
            if (chance.throws > 0) {
              chance.throws -= 1;
              throw new Error("by chance");
            }
            seen.set(object.metadata.name, results);
          },
        });
        const common = { client: createClient(cluster.transport), clock, random: () => 0.5 };
        const informers = new InformerSet(common);
        const loop = new ControllerLoop({ ...common, controller: reading, informers });
        const abort = new AbortController();
        const watching = informers.run(abort.signal);
        for (const index of programs.keys())
          await client.create(Secret, { metadata: { name: `p${index}`, labels: { program: "yes" } } });
        await loop.start(abort.signal);
        for (const next of changes) {
          if (next.op === "turns") await turns(next.count);
          else if (next.op === "throw") chance.throws += 1;
          else if (next.op === "delete") {
            if ((await client.find(ConfigMap, next)) !== undefined) await client.delete(ConfigMap, next);
          } else {
            const v = next.v === null ? {} : { v: next.v };
            const { name, namespace } = next;
            const object = { metadata: { name, namespace, labels: v }, data: v };
            await client.apply(ConfigMap, object, { fieldManager: "test", force: true });
          }
        }
        for (let quiet = 0, rounds = 0; quiet < 3; rounds++) {
          if (rounds > 500) throw new Error("Not settled");
          await turns(2);
          const rests = cluster.idle && loop.idle && loop.queue.delayed === 0;
          quiet = rests ? quiet + 1 : 0;
          if (!rests && loop.idle) clock.advance(clock.nextTimerInMs ?? 0);
        }
        try {
          for (const [index, program] of programs.entries())
            expect(seen.get(`p${index}`)).toEqual(await follow(program, onServer(client)));
        } finally {
          await loop.stop();
          abort.abort();
          await watching;
          await cluster.close();
        }
      },
    ),
    { numRuns: 40 },
  );
});
