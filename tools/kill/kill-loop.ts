import { setTimeout as delay } from "node:timers/promises";
import { ServerProcess } from "./server-process.js";

/** How often the server is killed, and the load. */
export interface KillLoopOptions {
  readonly folder: string;
  readonly kills: number;
  /** Concurrent writers, each with separate objects. */
  readonly writers: number;
  /** Longest time under load before a kill. */
  readonly maxLoadMs: number;
  /** Returns a number in [0, 1). */
  random(): number;
  onKill?(report: KillReport): void;
}

/** Results so far. */
export interface KillReport {
  readonly kills: number;
  /** Writes with a successful response. */
  readonly acknowledged: number;
  /** Writes without a response, which may or may not be stored. */
  readonly unknown: number;
  /** Violations: empty when every acknowledged write is stored. */
  readonly problems: readonly string[];
}

/** A possible state of an object: the last acknowledged one, or the one requested when the server was killed. */
type State = string | undefined;

const group = "kill.example.com";
const definition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `things.${group}` },
  spec: {
    group,
    names: { kind: "Thing", plural: "things" },
    scope: "Namespaced",
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: { data: { type: "object", additionalProperties: { type: "string" } } },
          },
        },
      },
    ],
  },
};
const things = `/apis/${group}/v1/namespaces/default/things`;
const configMaps = "/api/v1/namespaces/default/configmaps";

/**
 * Starts a server on a data directory, writes to it concurrently, kills it at a random moment, restarts it and checks that every acknowledged
 * write is stored. Repeats on the same directory.
 */
export async function killLoop(options: KillLoopOptions): Promise<KillReport> {
  const { folder, kills, writers, maxLoadMs, random, onKill } = options;
  const states = new Map<string, Set<State>>();
  const problems: string[] = [];
  const count = { acknowledged: 0, unknown: 0 };
  let newest = 0;
  const report = (done: number): KillReport => ({ kills: done, ...count, problems });
  for (let done = 0; done <= kills; done++) {
    const server = await ServerProcess.start(folder);
    try {
      if (server.revision < newest) problems.push(`revision ${server.revision} after ${newest} was acknowledged`);
      await compare(server, states, problems);
      if (done === kills) break;
      if (done === 0) await server.send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition);
      let stopped = false;
      const work = Array.from({ length: writers }, async (_, writer) => {
        for (let turn = 0; !stopped; turn++) {
          const path = `${writer % 2 === 0 ? things : configMaps}/w${writer}-${Math.floor(random() * 6)}`;
          const next = random() < 0.2 ? undefined : `${done}.${turn}.${"x".repeat(Math.floor(random() * 2_000))}`;
          const before = [...(states.get(path) ?? [undefined])];
          // Until the response arrives, either state is possible.
          states.set(path, new Set([...before, next]));
          try {
            newest = Math.max(newest, await write(server, path, before[0], next));
            states.set(path, new Set([next]));
            count.acknowledged++;
          } catch {
            count.unknown++;
            return;
          }
        }
      });
      await delay(random() * maxLoadMs);
      await server.kill();
      stopped = true;
      await Promise.all(work);
      onKill?.(report(done + 1));
    } finally {
      await server.kill();
    }
  }
  return report(kills);
}

/** Writes an object; returns its resourceVersion. Rejects when the response is lost or is an error. */
async function write(server: ServerProcess, path: string, before: State, next: State): Promise<number> {
  const isThing = path.startsWith(things);
  const collection = isThing ? things : configMaps;
  const object = {
    ...(isThing && { apiVersion: `${group}/v1`, kind: "Thing" }),
    metadata: { name: path.slice(collection.length + 1) },
    data: { value: next ?? "" },
  };
  if (next === undefined) {
    const { status } = await server.send("DELETE", path);
    if (status !== 200 && status !== 404) throw new Error(`DELETE returned ${status}`);
    return 0;
  }
  if (before !== undefined) {
    const { status, body } = await server.send("GET", path);
    if (status === 200) {
      const updated = await server.send("PUT", path, { ...body, data: object.data });
      if (updated.status === 200) return Number(updated.body.metadata.resourceVersion);
      throw new Error(`PUT returned ${updated.status}`);
    }
  }
  const { status, body } = await server.send("POST", collection, object);
  if (status === 201) return Number(body.metadata.resourceVersion);
  // The object exists: an earlier write without a response was stored.
  const current = await server.send("GET", path);
  const updated = await server.send("PUT", path, { ...current.body, data: object.data });
  if (updated.status !== 200) throw new Error(`POST returned ${status}, PUT ${updated.status}`);
  return Number(updated.body.metadata.resourceVersion);
}

/** Compares the stored objects with the possible states, and takes the stored ones as the new states. */
async function compare(server: ServerProcess, states: Map<string, Set<State>>, problems: string[]): Promise<void> {
  if (states.size === 0) return;
  const found = new Map<string, string>();
  for (const collection of [things, configMaps]) {
    const { status, body } = await server.send("GET", collection);
    if (status !== 200) problems.push(`GET ${collection} returned ${status}`);
    for (const item of body.items ?? []) found.set(`${collection}/${item.metadata.name}`, item.data.value);
  }
  for (const [path, allowed] of states) {
    const is = found.get(path);
    if (!allowed.has(is)) problems.push(`${path} is "${short(is)}", not ${[...allowed].map(short).join(" or ")}`);
    states.set(path, new Set([is]));
  }
  for (const path of found.keys()) if (!states.has(path)) problems.push(`${path} was never written`);
}

function short(state: State): string {
  return state === undefined ? "absent" : state.slice(0, 16);
}
