import { getEventListeners } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { FakeClock } from "@kubewright/core/clock";
import { afterEach, expect, test } from "vitest";
import { type Connection, HttpsTransport, type HttpsTransportOptions, warningTexts } from "./index.js";

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

async function transportTo(
  handler: RequestListener,
  options: Partial<HttpsTransportOptions> = {},
  connection: Partial<Connection> = {},
): Promise<HttpsTransport> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const transport = new HttpsTransport(
    {
      server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      credentials: { kind: "none" },
      namespace: "default",
      ...connection,
    },
    { clock: new FakeClock(), random: () => 0, ...options },
  );
  open.push(
    () => transport.close(),
    () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  );
  return transport;
}

const get = { method: "GET", path: "/api" } as const;
const json = { "content-type": "application/json" };

/** Advances the clock until the promise settles. */
async function passing<T>(clock: FakeClock, work: Promise<T>): Promise<T> {
  let settled = false;
  void work
    .catch(() => {})
    .finally(() => {
      settled = true;
    });
  while (!settled) {
    if (clock.nextTimerInMs !== undefined) clock.advance(clock.nextTimerInMs);
    await new Promise(setImmediate);
  }
  return work;
}

test.each([429, 500, 503])(
  "after a %i with Retry-After a write is retried when that time has passed",
  async (status) => {
    const clock = new FakeClock(0);
    const times: number[] = [];
    const transport = await transportTo(
      (_, response) => {
        times.push(clock.now());
        if (times.length < 3) response.writeHead(status, { ...json, "retry-after": "7" }).end("{}");
        else response.writeHead(201, json).end("{}");
      },
      { clock },
    );
    const response = await passing(clock, transport.send({ method: "POST", path: "/api", body: {} }));
    expect(response.status).toBe(201);
    expect(times).toEqual([0, 7_000, 14_000]);
  },
);

test("the Retry-After delay has jitter, so that throttled clients do not retry at the same time", async () => {
  const clock = new FakeClock(0);
  const times: number[] = [];
  const transport = await transportTo(
    (_, response) => {
      times.push(clock.now());
      response.writeHead(times.length < 2 ? 429 : 200, { ...json, "retry-after": "10" }).end("{}");
    },
    { clock, random: () => 0.5 },
  );
  await passing(clock, transport.send(get));
  expect(times).toEqual([0, 11_000]);
});

test.each([
  ["no Retry-After", 429, {}],
  ["an HTTP date", 503, { "retry-after": "Sat, 01 Jan 2000 00:00:00 GMT" }],
  ["a delay that is too long", 503, { "retry-after": "86400" }],
  ["another status", 409, { "retry-after": "1" }],
])("a response with %s is returned at once", async (_, status, headers) => {
  const clock = new FakeClock();
  const transport = await transportTo((_, response) => response.writeHead(status, { ...json, ...headers }).end("{}"), {
    clock,
  });
  expect((await transport.send(get)).status).toBe(status);
  expect(clock.pendingTimers).toBe(0);
});

test("after maxRetries the last response is returned", async () => {
  const clock = new FakeClock();
  let requests = 0;
  const transport = await transportTo(
    (_, response) => {
      requests++;
      response.writeHead(429, { ...json, "retry-after": "1" }).end("{}");
    },
    { clock, maxRetries: 3 },
  );
  expect((await passing(clock, transport.send(get))).status).toBe(429);
  expect(requests).toBe(4);
});

test("aborting during the delay before a retry rejects with the signal's reason, and leaves no timer", async () => {
  const clock = new FakeClock();
  const transport = await transportTo((_, response) => response.writeHead(429, { ...json, "retry-after": "9" }).end(), {
    clock,
  });
  const abort = new AbortController();
  const sent = expect(transport.send({ ...get, signal: abort.signal })).rejects.toBe("enough");
  while (clock.pendingTimers === 0) await new Promise(setImmediate);
  abort.abort("enough");
  await sent;
  expect(clock.pendingTimers).toBe(0);
});

test("closing the transport ends the delay before a retry", async () => {
  const clock = new FakeClock();
  const transport = await transportTo((_, response) => response.writeHead(429, { ...json, "retry-after": "9" }).end(), {
    clock,
  });
  const sent = expect(transport.send(get)).rejects.toThrow(/transport was closed/);
  while (clock.pendingTimers === 0) await new Promise(setImmediate);
  await transport.close();
  await sent;
  await expect(transport.send(get)).rejects.toMatchObject({ code: "TRANSPORT_FAILED" });
});

test("a GET whose connection is lost is retried, a write is not", async () => {
  const clock = new FakeClock();
  const seen: (string | undefined)[] = [];
  const transport = await transportTo(
    (request, response) => {
      seen.push(request.method);
      if (seen.length % 2 === 1) request.socket.resetAndDestroy();
      else response.writeHead(200, json).end("{}");
    },
    { clock },
  );
  expect((await passing(clock, transport.send(get))).status).toBe(200);
  for (const method of ["POST", "PUT", "PATCH", "DELETE"] as const) {
    seen.length = 0;
    await expect(passing(clock, transport.send({ method, path: "/api", body: {} }))).rejects.toMatchObject({
      code: "TRANSPORT_FAILED",
      message: expect.stringMatching(/connection was lost before the response was complete/),
    });
    expect(seen).toEqual([method]);
  }
});

test.each([
  ["with a length", { "content-length": 100 }],
  ["in chunks", {}],
])("a truncated response %s is an error", async (_, headers) => {
  const clock = new FakeClock();
  let requests = 0;
  const transport = await transportTo(
    (request, response) => {
      requests++;
      response.writeHead(200, { ...json, ...headers }).write(`{"a":`);
      setImmediate(() => request.socket.destroy());
    },
    { clock, maxRetries: 1 },
  );
  await expect(passing(clock, transport.send(get))).rejects.toThrow(/connection was lost/);
  expect(requests).toBe(2);
});

test("a write after the server closed the idle connection is sent once, over another connection", async () => {
  const connections: unknown[] = [];
  let closed = Promise.resolve();
  const transport = await transportTo((request, response) => {
    connections.push(request.socket);
    response.writeHead(200, json).end("{}");
    const { socket } = request;
    closed = new Promise((resolve) => socket.once("close", () => resolve()));
    response.once("finish", () => socket.end());
  });
  for (let count = 0; count < 20; count++) {
    await transport.send({ method: "POST", path: "/api", body: {} });
    await closed;
  }
  expect(new Set(connections).size).toBe(20);
});

test("a watch whose connection is lost fails with that reason", async () => {
  const transport = await transportTo((request, response) => {
    response.writeHead(200, json).write(`{"n":1}\n`);
    setImmediate(() => request.socket.destroy());
  });
  const watch = await transport.stream(get);
  if (watch.kind !== "stream") throw new Error("expected a stream");
  const reading = (async () => {
    for await (const item of watch.items) expect(item).toEqual({ n: 1 });
  })();
  await expect(reading).rejects.toMatchObject({
    code: "TRANSPORT_FAILED",
    message: expect.stringMatching(/Cannot GET "\/api" at .* connection was lost/),
  });
});

test("a host that does not resolve has its own message", async () => {
  const transport = await transportTo(() => {}, {}, { server: "http://no-such-host.invalid" });
  await expect(transport.send(get)).rejects.toMatchObject({
    code: "TRANSPORT_FAILED",
    message: expect.stringMatching(/host name cannot be resolved.*(ENOTFOUND|EAI_AGAIN)/),
  });
});

test("a request that exceeds requestTimeoutMs fails", async () => {
  const clock = new FakeClock();
  const transport = await transportTo(() => {}, { clock, requestTimeout: "5s" });
  const sent = expect(transport.send(get)).rejects.toMatchObject({
    code: "TRANSPORT_FAILED",
    message: expect.stringContaining("the server did not respond within 5 s"),
  });
  while (clock.pendingTimers === 0) await new Promise(setImmediate);
  clock.advance(5_000);
  await sent;
});

test("an aborted request rejects at once, also while it waits for a connection", async () => {
  const transport = await transportTo(() => {}, {});
  const abort = new AbortController();
  const sent = Array.from({ length: 70 }, () => transport.send({ ...get, signal: abort.signal }));
  const ended = Promise.all(sent.map((one) => expect(one).rejects.toBe("enough")));
  await new Promise(setImmediate);
  abort.abort("enough");
  await ended;
  await expect(transport.send({ ...get, signal: abort.signal })).rejects.toBe("enough");
});

test("a request aborted while it waits for a connection is never sent", async () => {
  const held: (() => void)[] = [];
  const seen: (string | undefined)[] = [];
  const transport = await transportTo((request, response) => {
    seen.push(request.url);
    const respond = (): void => void response.writeHead(200, json).end("{}");
    if (request.url === "/api") held.push(respond);
    else respond();
  });
  const abort = new AbortController();
  const running = Array.from({ length: 64 }, () => transport.send(get));
  while (held.length < 64) await new Promise(setImmediate);
  const waiting = expect(transport.send({ method: "POST", path: "/aborted", signal: abort.signal })).rejects.toBe("no");
  await new Promise(setImmediate);
  abort.abort("no");
  await waiting;
  for (const respond of held) respond();
  await Promise.all(running);
  await Promise.all(Array.from({ length: 64 }, () => transport.send({ method: "GET", path: "/last" })));
  expect(seen).not.toContain("/aborted");
});

test("an HTML response is an error that quotes it, unless the request accepts HTML", async () => {
  const page = "<html>\n<title>Please log in</title></html>";
  const transport = await transportTo((_, response) =>
    response.writeHead(302, { "content-type": "text/html; charset=utf-8" }).end(page),
  );
  await expect(transport.send(get)).rejects.toMatchObject({
    code: "TRANSPORT_FAILED",
    message: expect.stringMatching(
      /status 302.*not from an API server: "<html> <title>Please log in.*proxy or login page/,
    ),
  });
  expect((await transport.send({ ...get, headers: { accept: "text/html" } })).body).toBe(page);
});

test("invalid JSON is an error that quotes its start, and plain text is returned as a string", async () => {
  const transport = await transportTo((request, response) =>
    request.url === "/text"
      ? response.writeHead(200, { "content-type": "text/plain" }).end("ok")
      : response.writeHead(200, json).end("{oops"),
  );
  await expect(transport.send(get)).rejects.toThrow(/response \(status 200\) is not JSON: "\{oops"/);
  expect((await transport.send({ method: "GET", path: "/text" })).body).toBe("ok");
});

test("gzip is requested and decompressed, except for watches and with disable-compression", async () => {
  const large = { items: Array.from({ length: 10_000 }, (_, n) => ({ n })) };
  const asked: unknown[] = [];
  const handler: RequestListener = (request, response) => {
    asked.push(request.headers["accept-encoding"]);
    if (request.headers["accept-encoding"] !== "gzip") return response.writeHead(200, json).end("{}");
    response.writeHead(200, { ...json, "content-encoding": "gzip" }).end(gzipSync(JSON.stringify(large)));
  };
  const transport = await transportTo(handler);
  expect((await transport.send(get)).body).toEqual(large);
  await transport.stream(get);
  await (await transportTo(handler, {}, { disableCompression: true })).send(get);
  expect(asked).toEqual(["gzip", undefined, undefined]);
});

test.each([
  ["gzip", gzipSync("{}").subarray(0, 10), /cannot be decompressed/],
  ["br", Buffer.from("{}"), /content encoding "br", which was not requested/],
])("a response with corrupt or unknown %s encoding is an error", async (encoding, body, message) => {
  const transport = await transportTo((_, response) =>
    response.writeHead(200, { ...json, "content-encoding": encoding }).end(body),
  );
  await expect(transport.send(get)).rejects.toThrow(message);
});

test("repeated warning headers are parsed", async () => {
  const transport = await transportTo((_, response) => {
    response.setHeader("warning", [`299 - "a, \\"b\\""`, `299 - "c"`]);
    response.writeHead(200, json).end("{}");
  });
  const { headers } = await transport.send(get);
  expect(warningTexts(headers["warning"] ?? "")).toEqual([`a, "b"`, "c"]);
});

test("user agent, impersonation and credential are sent, and a request's own headers take precedence", async () => {
  const transport = await transportTo(
    ({ rawHeaders }, response) => response.writeHead(200, json).end(JSON.stringify(rawHeaders)),
    { userAgent: "sample/1.0", impersonate: { user: "jane", groups: ["a", "b"] } },
    { credentials: { kind: "basic", username: "u", password: "p" }, impersonate: { user: "from kubeconfig" } },
  );
  const headersOf = async (headers: Record<string, string>): Promise<string[]> => {
    const { body } = await transport.send({ ...get, headers });
    const flat = body as string[];
    return flat.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${flat[at + 1]}`] : []));
  };
  const sent = await headersOf({});
  expect(sent).toContainEqual(expect.stringMatching(/^user-agent: sample\/1\.0 \(\w+\/\w+\) kubewright\/\d/));
  expect(sent).toEqual(
    expect.arrayContaining([
      "accept: application/json",
      "authorization: Basic dTpw",
      "impersonate-user: jane",
      "impersonate-group: a",
      "impersonate-group: b",
    ]),
  );
  const own = await headersOf({ authorization: "Bearer mine", "impersonate-user": "joe", "user-agent": "other" });
  expect(own).toContainEqual(expect.stringMatching(/^user-agent: other\/unknown \(/));
  expect(own.filter((line) => line.startsWith("impersonate"))).toEqual(["impersonate-user: joe"]);
  expect(own.filter((line) => line.startsWith("authorization"))).toEqual(["authorization: Bearer mine"]);
});

test.each([
  ["a header", { ...get, headers: { "x-a": "b\r\nx-evil: 1" } }],
  ["a header name", { ...get, headers: { "x-a: 1\r\nx-evil": "1" } }],
  ["a path", { method: "GET", path: "/a HTTP/1.1\r\nx-evil: 1\r\n\r\n" }],
] as const)("a line break in %s is rejected before anything is sent", async (_, request) => {
  let requests = 0;
  const transport = await transportTo((_, response) => {
    requests++;
    response.end();
  });
  await expect(transport.send(request)).rejects.toMatchObject({ code: "TRANSPORT_FAILED" });
  await expect(transport.stream(request)).rejects.toMatchObject({ code: "TRANSPORT_FAILED" });
  expect(requests).toBe(0);
});

test("a line break in a query is escaped", async () => {
  const transport = await transportTo((request, response) =>
    response.writeHead(200, json).end(JSON.stringify(request.url)),
  );
  const { body } = await transport.send({ ...get, query: { a: "b\r\nc", __proto__x: "&" } });
  expect(body).toBe("/api?a=b%0D%0Ac&__proto__x=%26");
});

test("a token file is reloaded after a minute, and at once after a 401", async () => {
  const folder = mkdtempSync(join(tmpdir(), "kubewright-token-"));
  open.push(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "token");
  const clock = new FakeClock();
  let accepted = "one";
  const transport = await transportTo(
    ({ headers }, response) => {
      response.writeHead(accepted === "any" || headers.authorization === `Bearer ${accepted}` ? 200 : 401, json);
      response.end(JSON.stringify(headers.authorization));
    },
    { clock },
    { credentials: { kind: "tokenFile", path } },
  );
  await expect(transport.send(get)).rejects.toMatchObject({
    code: "CONFIG_INVALID",
    message: expect.stringMatching(/Cannot read the token file ".*token": ENOENT/),
  });
  writeFileSync(path, "one\n");
  expect((await transport.send(get)).body).toBe("Bearer one");
  writeFileSync(path, "second\n");
  expect((await transport.send(get)).body).toBe("Bearer one");
  accepted = "second";
  expect(await transport.send({ method: "POST", path: "/api", body: {} })).toMatchObject({ status: 200 });
  accepted = "any";
  writeFileSync(path, "number three\n");
  clock.advance(59_999);
  expect((await transport.send(get)).body).toBe("Bearer second");
  clock.advance(1);
  expect((await transport.send(get)).body).toBe("Bearer number three");
  rmSync(path);
  clock.advance(60_000);
  expect((await transport.send(get)).body).toBe("Bearer number three");
});

test("a 401 is returned when no new credential is available", async () => {
  let requests = 0;
  const transport = await transportTo(
    (_, response) => {
      requests++;
      response.writeHead(401, json).end("{}");
    },
    {},
    { credentials: { kind: "token", token: "t" } },
  );
  expect((await transport.send(get)).status).toBe(401);
  expect(await transport.stream(get)).toMatchObject({ kind: "answer", response: { status: 401 } });
  expect(requests).toBe(2);
});

test("a request with its own authorization header is not retried with another credential", async () => {
  const folder = mkdtempSync(join(tmpdir(), "kubewright-token-"));
  open.push(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "token");
  writeFileSync(path, "one");
  const seen: unknown[] = [];
  const transport = await transportTo(
    ({ headers }, response) => {
      seen.push(headers.authorization);
      if (headers.authorization === "Bearer mine") writeFileSync(path, "two");
      response.writeHead(headers.authorization === "Bearer mine" ? 401 : 200, json).end("{}");
    },
    {},
    { credentials: { kind: "tokenFile", path } },
  );
  await transport.send(get);
  expect((await transport.send({ ...get, headers: { authorization: "Bearer mine" } })).status).toBe(401);
  expect(seen).toEqual(["Bearer one", "Bearer mine"]);
});

test("the rate limit delays excess requests by the clock", async () => {
  const clock = new FakeClock(0);
  const times: number[] = [];
  const transport = await transportTo(
    (_, response) => {
      times.push(clock.now());
      response.writeHead(200, json).end("{}");
    },
    { clock, rateLimit: { perSecond: 1, burst: 2 } },
  );
  const sent = Promise.all(Array.from({ length: 4 }, () => transport.send(get)));
  while (times.length < 2) await new Promise(setImmediate);
  expect(clock.pendingTimers).toBe(2);
  await passing(clock, sent);
  expect(times.slice(0, 2)).toEqual([0, 0]);
  expect(times).toHaveLength(4);
});

test("closing the transport fails running requests and watches with that reason", async () => {
  const transport = await transportTo((request, response) => {
    if (request.url === "/watch") response.writeHead(200, json).write(`{"n":1}\n`);
  });
  const sent = expect(transport.send(get)).rejects.toThrow(/Cannot GET "\/api" at .*: the transport was closed/);
  const watch = await transport.stream({ method: "GET", path: "/watch" });
  if (watch.kind !== "stream") throw new Error("expected a stream");
  const items = watch.items[Symbol.asyncIterator]();
  await items.next();
  const next = expect(items.next()).rejects.toMatchObject({ code: "TRANSPORT_FAILED" });
  await transport.close();
  await sent;
  await next;
});

test("an invalid server address is rejected", async () => {
  const options = { clock: new FakeClock() };
  const connection = { credentials: { kind: "none" }, namespace: "default" } as const;
  for (const server of ["", "localhost:6443", "ftp://x"])
    expect(() => new HttpsTransport({ ...connection, server }, options)).toThrow(/not an http or https address/);
});

test("requests leave nothing behind in a signal that all runs of a controller share", async () => {
  const { signal } = new AbortController();
  const transport = await transportTo((_, response) => response.writeHead(200, json).end("{}"));
  for (let sent = 0; sent < 5; sent++) await transport.send({ ...get, signal });
  await Promise.all(Array.from({ length: 20 }, () => transport.send({ ...get, signal })));
  expect(getEventListeners(signal, "abort")).toEqual([]);
  // Node keeps the signals of `AbortSignal.any` in a set of each source.
  const kept = Object.getOwnPropertySymbols(signal).map((symbol) => Reflect.get(signal, symbol) as unknown);
  const sizes = kept.map((value) => (typeof value === "object" && value !== null && "size" in value ? value.size : 0));
  expect(sizes.filter((size) => size !== 0)).toEqual([]);
});
