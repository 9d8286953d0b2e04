/**
 * Floods a server from a separate process: reads a {@link FloodTask} as JSON from stdin, prints `ready` when every connection has had a response, and
 * sends requests until it is killed, at most for a minute. With `seconds` it stops by itself and prints the responses per second by status.
 */
import { Client } from "undici";

/** A flood and its server. */
export interface FloodTask {
  readonly url: string;
  readonly ca: string;
  readonly certificate?: { readonly cert: string; readonly key: string } | undefined;
  readonly connections: number;
  /** How long to send, after every connection has had a response. @default until it is killed, at most 60 */
  readonly seconds?: number;
}

const chunks: Buffer[] = [];
for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
const task = JSON.parse(Buffer.concat(chunks).toString("utf8")) as FloodTask;
// Not a pool, which looks for a free one among all connections for each request.
const clients = Array.from(
  { length: task.connections },
  () => new Client(task.url, { pipelining: 1, connect: { ca: task.ca, ...task.certificate } }),
);
const send = async (client: Client): Promise<void> => {
  const { statusCode, body } = await client.request({ method: "GET", path: "/api/v1/namespaces/default/configmaps" });
  await body.dump();
  counts.set(statusCode, (counts.get(statusCode) ?? 0) + 1);
};
const counts = new Map<number, number>();
const seconds = task.seconds ?? 60;
let startMs = performance.now();
let endMs = Number.POSITIVE_INFINITY;
let waiting = task.connections;
await Promise.all(
  clients.map(async (client) => {
    await send(client);
    waiting--;
    if (waiting === 0) {
      process.stdout.write("ready\n");
      counts.clear();
      startMs = performance.now();
      endMs = startMs + seconds * 1_000;
    }
    while (performance.now() < endMs) await send(client);
  }),
);
const takenSeconds = (performance.now() - startMs) / 1_000;
process.stdout.write(
  `${JSON.stringify(Object.fromEntries([...counts].map(([status, count]) => [status, count / takenSeconds])))}\n`,
);
await Promise.all(clients.map((client) => client.destroy()));
