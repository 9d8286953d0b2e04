/**
 * Floods a server from a separate process: reads a {@link FloodTask} as JSON from stdin, prints `ready` when every connection has had a response, and
 * sends requests until it is killed, at most for a minute.
 */
import { Pool } from "undici";

/** A flood and its server. */
export interface FloodTask {
  readonly url: string;
  readonly ca: string;
  readonly certificate?: { readonly cert: string; readonly key: string } | undefined;
  readonly connections: number;
}

const longestMs = 60_000;

const chunks: Buffer[] = [];
for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
const task = JSON.parse(Buffer.concat(chunks).toString("utf8")) as FloodTask;
const pool = new Pool(task.url, {
  connections: task.connections,
  pipelining: 1,
  connect: { ca: task.ca, ...task.certificate },
});
const send = async (): Promise<void> => {
  const { body } = await pool.request({ method: "GET", path: "/api/v1/namespaces/default/configmaps" });
  await body.dump();
};
const endMs = performance.now() + longestMs;
let waiting = task.connections;
await Promise.all(
  Array.from({ length: task.connections }, async () => {
    await send();
    waiting--;
    if (waiting === 0) process.stdout.write("ready\n");
    while (performance.now() < endMs) await send();
  }),
);
