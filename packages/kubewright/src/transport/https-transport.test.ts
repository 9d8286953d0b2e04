import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { FakeClock } from "@kubewright/core/clock";
import { afterEach, expect, test } from "vitest";
import { type Credentials, HttpsTransport } from "./index.js";

const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

async function transportTo(
  handler: (request: IncomingMessage, response: ServerResponse) => void,
  credentials: Credentials = { kind: "none" },
): Promise<HttpsTransport> {
  const server: Server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const transport = new HttpsTransport(
    { server: `http://127.0.0.1:${port}/base`, credentials, namespace: "default" },
    { clock: new FakeClock() },
  );
  open.push(
    () => transport.close(),
    () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  );
  return transport;
}

test("send carries method, path, query, token and JSON body, and returns status, headers and parsed body", async () => {
  const transport = await transportTo(
    (request, response) => {
      let body = "";
      request.on("data", (chunk) => {
        body += chunk;
      });
      request.on("end", () => {
        response.writeHead(201, { "content-type": "application/json", warning: "careful" });
        const { authorization, "content-type": contentType } = request.headers;
        response.end(
          JSON.stringify({
            method: request.method,
            url: request.url,
            authorization,
            contentType,
            body: JSON.parse(body),
          }),
        );
      });
    },
    { kind: "token", token: "secret" },
  );
  const response = await transport.send({
    method: "POST",
    path: "/api/v1/x",
    query: { dryRun: "All" },
    body: { a: 1 },
  });
  expect(response).toMatchObject({ status: 201, headers: { warning: "careful" } });
  expect(response.body).toEqual({
    method: "POST",
    url: "/base/api/v1/x?dryRun=All",
    authorization: "Bearer secret",
    contentType: "application/json",
    body: { a: 1 },
  });
});

test("an error status is returned as a response, not thrown", async () => {
  const transport = await transportTo((_, response) => {
    response.writeHead(404, { "content-type": "application/json" }).end(`{"kind":"Status","code":404}`);
  });
  expect(await transport.send({ method: "GET", path: "/x" })).toMatchObject({
    status: 404,
    body: { kind: "Status", code: 404 },
  });
  expect(await transport.stream({ method: "GET", path: "/x" })).toMatchObject({
    kind: "answer",
    response: { status: 404 },
  });
});

test("stream yields one value per line, regardless of chunk boundaries", async () => {
  const transport = await transportTo((_, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.write(`{"type":"ADDED","object":"a`);
    setImmediate(() => response.end(`ä"}\n{"type":"MODIFIED"}\n`));
  });
  const stream = await transport.stream({ method: "GET", path: "/x", query: { watch: "1" } });
  if (stream.kind !== "stream") throw new Error("expected a stream");
  const items: unknown[] = [];
  for await (const item of stream.items) items.push(item);
  expect(items).toEqual([{ type: "ADDED", object: "aä" }, { type: "MODIFIED" }]);
});

test("aborting a stream rejects with the signal's reason, and leaving the loop closes the connection", async () => {
  let closed = 0;
  let resolve: () => void;
  const bothClosed = new Promise<void>((done) => {
    resolve = done;
  });
  const transport = await transportTo((_, response) => {
    response.writeHead(200, { "content-type": "application/json" }).write(`{"n":1}\n`);
    response.on("close", () => ++closed === 2 && resolve());
  });
  const abort = new AbortController();
  const first = await transport.stream({ method: "GET", path: "/x", signal: abort.signal });
  const second = await transport.stream({ method: "GET", path: "/x" });
  if (first.kind !== "stream" || second.kind !== "stream") throw new Error("expected streams");
  const reading = (async () => {
    for await (const _ of first.items) abort.abort("enough");
  })();
  await expect(reading).rejects.toBe("enough");
  for await (const _ of second.items) break;
  await bothClosed;
});

test("an unreachable server fails with TRANSPORT_FAILED that names the request", async () => {
  const transport = new HttpsTransport(
    { server: "http://127.0.0.1:1", credentials: { kind: "none" }, namespace: "default" },
    { clock: new FakeClock() },
  );
  await expect(transport.send({ method: "GET", path: "/api" })).rejects.toMatchObject({
    code: "TRANSPORT_FAILED",
    message: expect.stringMatching(/Cannot GET "\/api" at http:\/\/127\.0\.0\.1:1: .*ECONNREFUSED/),
  });
  await transport.close();
});

test("a watch event that is not JSON fails with the start of the line in the message", async () => {
  const transport = await transportTo((_, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end("<html>oops</html>\n");
  });
  const stream = await transport.stream({ method: "GET", path: "/x" });
  if (stream.kind !== "stream") throw new Error("expected a stream");
  await expect(stream.items[Symbol.asyncIterator]().next()).rejects.toMatchObject({
    code: "TRANSPORT_FAILED",
    message: expect.stringContaining("<html>oops"),
  });
});
