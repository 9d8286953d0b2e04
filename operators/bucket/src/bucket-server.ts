import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { BucketStore } from "./bucket-store.js";

/** The largest request body that is read. */
const maxBodyBytes = 65_536;

/**
 * Serves a store over HTTP: `GET`, `PUT`, `PATCH` and `DELETE /buckets/NAME`, `GET /buckets/NAME/objects`, and `GET /changes`, which sends the owner of each changed
 * bucket as a line of JSON.
 */
export function bucketServer(store: BucketStore): Server {
  const server = createServer((request, response) => {
    handle(store, request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else reply(response, 503, { message: error instanceof Error ? error.message : String(error) });
    });
  });
  return server;
}

async function handle(store: BucketStore, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, top, name, rest] = (request.url ?? "").split("/").map(decodeURIComponent);
  if (top === "changes") return sendChanges(store, response);
  if (top !== "buckets" || name === undefined || name === "") return reply(response, 404, { message: "No such path" });
  const isNew = (await store.find(name)) === undefined;
  switch (rest === "objects" ? "PROBE" : request.method) {
    case "PROBE":
      return reply(response, isNew ? 404 : (await store.probe(name)) ? 200 : 403, []);
    case "GET":
      return isNew ? reply(response, 404, { message: "No such bucket" }) : reply(response, 200, await store.find(name));
    case "PUT": {
      const created = await store.create({ name, versioning: false, owner: null, ...(await bodyOf(request)) });
      return created ? reply(response, 201, created) : reply(response, 409, { message: "The name is taken" });
    }
    case "PATCH":
      return isNew
        ? reply(response, 404, { message: "No such bucket" })
        : reply(response, 200, await store.update(name, await bodyOf(request)));
    case "DELETE":
      if (isNew) return reply(response, 404, { message: "No such bucket" });
      return (await store.delete(name)) === "deleted"
        ? reply(response, 204)
        : reply(response, 409, { message: "The bucket is not empty" });
    default:
      return reply(response, 405, { message: "Method not allowed" });
  }
}

async function sendChanges(store: BucketStore, response: ServerResponse): Promise<void> {
  const closed = new AbortController();
  response.once("close", () => closed.abort());
  response.writeHead(200, { "content-type": "application/x-ndjson" }).flushHeaders();
  for await (const owner of store.changes(closed.signal)) response.write(`${JSON.stringify(owner)}\n`);
}

async function bodyOf(request: IncomingMessage): Promise<object> {
  let text = "";
  for await (const chunk of request) {
    text += String(chunk);
    if (text.length > maxBodyBytes) throw new Error(`The body is larger than ${maxBodyBytes} bytes`);
  }
  const value: unknown = JSON.parse(text);
  if (typeof value !== "object" || value === null) throw new SyntaxError("The body is not a JSON object");
  return value;
}

function reply(response: ServerResponse, status: number, body?: unknown): void {
  response
    .writeHead(status, { "content-type": "application/json" })
    .end(body === undefined ? "" : JSON.stringify(body));
}
