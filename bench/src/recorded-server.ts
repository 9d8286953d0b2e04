import { readFileSync } from "node:fs";
import { createServer, get as httpsGet } from "node:https";
import { join } from "node:path";
import type { ControlPlane } from "@kubewright/testing/control-plane";

/** The `limit` of a client that pages by default. */
const pageSize = 500;

/** A server with recorded responses. */
export interface RecordedServer {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Records the Pods of a real server, repeats them to `count` objects and events, and serves these bytes over TLS with the real server's certificate, so
 * that the benchmark measures the clients, not the server.
 */
export async function startRecordedServer(plane: ControlPlane, count: number): Promise<RecordedServer> {
  const { items, ...list } = JSON.parse(await read(plane, "/api/v1/pods")) as { items: Item[] };
  const pods = Array.from({ length: count }, (_, index) => renamed(items, index));
  const event = (object: Item): string =>
    `${JSON.stringify({ type: "MODIFIED", object: { kind: "Pod", apiVersion: "v1", ...object } })}\n`;
  const encoder = new TextEncoder();
  const certificates = join(plane.dir, "certificates");
  const whole = encoder.encode(JSON.stringify({ ...list, items: pods }));
  const pages = new Map(
    Array.from({ length: Math.ceil(count / pageSize) }, (_, page) => {
      const items = pods.slice(page * pageSize, (page + 1) * pageSize);
      const next = (page + 1) * pageSize < count ? { continue: `${page + 1}` } : {};
      const body = { ...list, metadata: { resourceVersion: "1000", ...next }, items };
      return [`${page}`, encoder.encode(JSON.stringify(body))];
    }),
  );
  const events = encoder.encode(pods.map(event).join(""));
  const settings = encoder.encode(await read(plane, "/api/v1/namespaces/default/configmaps/settings"));
  const cert = readFileSync(join(certificates, "apiserver.crt"));
  const key = readFileSync(join(certificates, "apiserver.key"));
  const server = createServer({ cert, key }, (request, response) => {
    const url = request.url ?? "";
    response.setHeader("content-type", "application/json");
    if (!url.startsWith("/api/v1/pods")) response.end(settings);
    else if (url.includes("watch=true")) response.end(events);
    else if (url.includes(`limit=${pageSize}`)) response.end(pages.get(/continue=(\d+)/.exec(url)?.[1] ?? "0"));
    else response.end(whole);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("Cannot serve: the server has no port");
  return {
    url: `https://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Item {
  readonly metadata: object;
}

function renamed(items: readonly Item[], index: number): Item {
  const item = items[index % items.length];
  if (item === undefined) throw new Error("Cannot record: the server has no Pods");
  return { ...item, metadata: { ...item.metadata, name: `pod-${index}`, resourceVersion: `${1_000 + index}` } };
}

function read(plane: ControlPlane, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${plane.admin.token}` };
    httpsGet(`${plane.url}${path}`, { ca: plane.caCertificate, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.once("end", () => resolve(Buffer.concat(chunks).toString("utf8"))).once("error", reject);
    }).once("error", reject);
  });
}
