import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { checkHistory } from "./check-history.js";
import { type LoadOptions, recordLoad } from "./etcd-load.js";

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

interface Behaviour {
  /** The response of every nth write is never sent, half of them before the write. */
  readonly loseEvery?: number;
  /** Every nth put is acknowledged and not done. */
  readonly forgetEvery?: number;
  /** Every nth request fails. */
  readonly failEvery?: number;
}

/** The JSON gateway of one etcd, as far as the load uses it. */
async function startEtcd({ loseEvery, forgetEvery, failEvery }: Behaviour = {}): Promise<string> {
  const values = new Map<string, string>();
  const counts = { writes: 0, puts: 0, requests: 0 };
  const isNth = (count: number, every: number | undefined): boolean => every !== undefined && count % every === 0;
  const range = ({ key }: { key: string }) => (values.has(key) ? { kvs: [{ key, value: values.get(key) }] } : {});
  const write = (key: string, value: string | undefined): object => {
    if (value === undefined) values.delete(key);
    else values.set(key, value);
    return {};
  };
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += String(chunk);
    const body = JSON.parse(text);
    const respond = (): object => {
      switch (request.url) {
        case "/v3/kv/range":
          return range(body);
        case "/v3/kv/put":
          return isNth(++counts.puts, forgetEvery) ? {} : write(body.key, body.value);
        case "/v3/kv/deleterange":
          return write(body.key, undefined);
        default: {
          const [compare] = body.compare;
          const present = values.get(compare.key);
          const isEqual = compare.target === "CREATE" ? present === undefined : present === compare.value;
          if (isEqual) write(compare.key, body.success[0].requestPut.value);
          return isEqual
            ? { succeeded: true, responses: [{ response_put: {} }] }
            : { responses: [{ response_range: range(body.failure[0].requestRange) }] };
        }
      }
    };
    if (request.url !== "/v3/kv/range") counts.writes++;
    if (isNth(++counts.requests, failEvery)) {
      response.writeHead(503).end('{"message":"etcdserver: no leader"}');
      return;
    }
    const isLost = request.url !== "/v3/kv/range" && isNth(counts.writes, loseEvery);
    if (isLost && counts.writes % 2 === 0) request.socket.destroy();
    else {
      const result = respond();
      if (isLost) request.socket.destroy();
      else response.end(JSON.stringify(result));
    }
  });
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A linear congruential generator: with one client, the load is the same each time. */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

const quick: Omit<LoadOptions, "endpoints"> = {
  signal: new AbortController().signal,
  clients: 6,
  keys: 3,
  maxOperations: 90,
  operationsPerSecond: Number.POSITIVE_INFINITY,
};

test("the history of a correct etcd is linearizable, and ends with a read of each key", async () => {
  const { history, counts } = await recordLoad({ ...quick, endpoints: [await startEtcd()] });
  expect(checkHistory(history)).toEqual({ kind: "linearizable" });
  expect(counts).toEqual({ completed: 93, unknown: 0, failed: 0 });
  expect(history.slice(-3).map(({ key, request }) => [key, request.kind])).toEqual([
    ["history/0", "get"],
    ["history/1", "get"],
    ["history/2", "get"],
  ]);
  const kinds = new Set(history.map(({ request }) => request.kind));
  expect(kinds).toEqual(new Set(["get", "put", "swap"]));
  const swaps = history.flatMap(({ request, found }) => (request.kind === "swap" ? [request.expected === found] : []));
  expect(new Set(swaps)).toEqual(new Set([true, false]));
});

test("writes whose responses were lost are unknown, and the history is still linearizable", async () => {
  const { history, counts } = await recordLoad({ ...quick, endpoints: [await startEtcd({ loseEvery: 5 })] });
  expect(counts.unknown).toBeGreaterThan(2);
  expect(checkHistory(history)).toEqual({ kind: "linearizable" });
});

test("a lost acknowledged write is found", async () => {
  const endpoints = [await startEtcd({ forgetEvery: 5 })];
  const { history } = await recordLoad({ ...quick, clients: 1, keys: 1, endpoints, random: seededRandom(1) });
  expect(checkHistory(history)).toMatchObject({ kind: "violation", key: "history/0" });
});

test("a member that is not reachable is left for the next, and its writes have failed", async () => {
  const refused = await startEtcd();
  const server = servers.pop();
  await new Promise((resolve) => server?.close(resolve));
  const { history, counts } = await recordLoad({ ...quick, endpoints: [refused, await startEtcd()] });
  expect(counts).toMatchObject({ completed: 93 - counts.failed + 1, unknown: 0 }); // the first of the final reads is repeated;
  expect(counts.failed).toBeGreaterThan(0);
  expect(checkHistory(history)).toEqual({ kind: "linearizable" });
});

test("a write that etcd rejects may have happened, a read has not", async () => {
  const { counts } = await recordLoad({ ...quick, endpoints: [await startEtcd({ failEvery: 3 })] });
  expect(counts.unknown).toBeGreaterThan(2);
  expect(counts.failed).toBeGreaterThan(2);
});

test("the load ends with its signal", async () => {
  const load = new AbortController();
  const random = (): number => {
    load.abort();
    return 0.5;
  };
  const { counts } = await recordLoad({ ...quick, endpoints: [await startEtcd()], signal: load.signal, random });
  expect(counts.completed).toBeLessThanOrEqual(6 + 3);
});

test("a key that cannot be read at the end is an error", async () => {
  const endpoints = [await startEtcd({ failEvery: 1 })];
  await expect(recordLoad({ ...quick, endpoints, finalReadsTimeoutMs: 1 })).rejects.toThrow(
    'Cannot read key "history/0" after the load',
  );
});
