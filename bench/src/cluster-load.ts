/**
 * Generates load on a cluster from a separate process: reads a {@link LoadTask} as JSON from stdin, prints its figures as JSON. Uses the same
 * client for both servers: undici over HTTP/1.1, with minimal parsing.
 */
import { once } from "node:events";
import { Pool } from "undici";

/** A load task and its server. */
export interface LoadTask {
  readonly url: string;
  readonly ca: string;
  readonly token?: string | undefined;
  readonly certificate?: { readonly cert: string; readonly key: string } | undefined;
  readonly kind: "verbs" | "fill" | "watchers";
  /** Objects to create, or events to wait for. */
  readonly count: number;
  /** The first number in their names. */
  readonly from?: number;
}

const task = JSON.parse(await readAll(process.stdin)) as LoadTask;
const group = "bench.example.com";
const path = `/apis/${group}/v1/namespaces/default/widgets`;
const watchers = 100;
const pool = new Pool(task.url, {
  connections: task.kind === "watchers" ? watchers : 16,
  pipelining: 1,
  bodyTimeout: 0,
  headersTimeout: 60_000,
  connect: { ca: task.ca, ...task.certificate },
});
const headers = {
  "content-type": "application/json",
  accept: "application/json",
  ...(task.token !== undefined && { authorization: `Bearer ${task.token}` }),
};

type Method = "GET" | "POST" | "PUT";

async function send(method: Method, to: string, body?: string): Promise<string> {
  const response = await pool.request({ method, path: to, headers, body: body ?? null });
  const text = await response.body.text();
  if (response.statusCode >= 300)
    throw new Error(`${method} ${to} returned ${response.statusCode}: ${text.slice(0, 200)}`);
  return text;
}

/** A custom resource of about 830 bytes. */
function widget(name: string, size: number, resourceVersion?: string): string {
  const labels = { app: "bench", part: `p${size % 7}`, "app.kubernetes.io/name": name };
  return JSON.stringify({
    apiVersion: `${group}/v1`,
    kind: "Widget",
    metadata: { name, labels, ...(resourceVersion !== undefined && { resourceVersion }) },
    spec: { size, color: "blue", note: "n".repeat(120), parts: ["a", "b", "c"] },
  });
}

/** Runs `work` for each number with concurrency 16; returns the rate per second. */
async function rate(count: number, work: (index: number) => Promise<unknown>): Promise<number> {
  let next = 0;
  const startedMs = performance.now();
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      while (next < count) await work(next++);
    }),
  );
  return count / ((performance.now() - startedMs) / 1_000);
}

async function define(): Promise<void> {
  const spec = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  const schema = { openAPIV3Schema: { type: "object", properties: { spec } } };
  const body = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `widgets.${group}` },
    spec: {
      group,
      names: { kind: "Widget", plural: "widgets" },
      scope: "Namespaced",
      versions: [{ name: "v1", served: true, storage: true, schema }],
    },
  };
  await send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", JSON.stringify(body));
  // A real server serves a CRD some time after it was created, and delays creates for two seconds more.
  for (;;) {
    const response = await pool.request({ method: "GET", path, headers });
    await response.body.dump();
    if (response.statusCode === 200) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await send("POST", path, widget("first", 0));
}

async function verbs(count: number): Promise<Record<string, number>> {
  await define();
  await rate(500, (index) => send("POST", path, widget(`warm-${index}`, index)));
  const versions: string[] = [];
  const creates = await rate(count, async (index) => {
    const text = await send("POST", path, widget(`w-${index}`, index));
    versions[index] = /"resourceVersion":"(\d+)"/.exec(text)?.[1] ?? "";
  });
  const updates = await rate(count, (index) =>
    send("PUT", `${path}/w-${index}`, widget(`w-${index}`, index + 1, versions[index])),
  );
  const gets = await rate(count * 2, (index) => send("GET", `${path}/w-${index % count}`));
  await rate(5_000 - count, (index) => send("POST", path, widget(`l-${index}`, index)));
  await send("GET", path);
  const lists = 10;
  const startedMs = performance.now();
  for (let run = 0; run < lists; run++) {
    const response = await pool.request({ method: "GET", path: `${path}?limit=5000`, headers });
    await response.body.dump({ limit: 1e9 });
  }
  return { creates, updates, gets, listMs: (performance.now() - startedMs) / lists };
}

/** Opens the watches, prints "ready", and returns when each has received this many events. */
async function watchAll(count: number): Promise<Record<string, number>> {
  const open = Array.from({ length: watchers }, async () => {
    const list = JSON.parse(await send("GET", `${path}?limit=1`)) as { metadata: { resourceVersion: string } };
    const query = `?watch=true&timeoutSeconds=300&resourceVersion=${list.metadata.resourceVersion}`;
    return (await pool.request({ method: "GET", path: path + query, headers })).body;
  });
  const bodies = await Promise.all(open);
  process.stdout.write("ready\n");
  await Promise.all(
    bodies.map(async (body) => {
      let seen = 0;
      for await (const chunk of body as AsyncIterable<Buffer>) {
        for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) seen++;
        if (seen >= count) break;
      }
    }),
  );
  return { endedAtMs: Date.now() };
}

async function fill(count: number, from: number): Promise<Record<string, number>> {
  const startedAtMs = Date.now();
  const creates = await rate(count, (index) => send("POST", path, widget(`f-${from + index}`, index)));
  return { startedAtMs, creates };
}

async function readAll(input: NodeJS.ReadStream): Promise<string> {
  let text = "";
  input.setEncoding("utf8");
  input.on("data", (part) => {
    text += part;
  });
  await once(input, "end");
  return text;
}

const figures =
  task.kind === "verbs"
    ? await verbs(task.count)
    : task.kind === "watchers"
      ? await watchAll(task.count)
      : await fill(task.count, task.from ?? 0);
process.stdout.write(`${JSON.stringify(figures)}\n`);
await pool.destroy();
