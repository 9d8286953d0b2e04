import { once } from "node:events";
import { request } from "node:https";
import { connect, type TLSSocket } from "node:tls";
import { CertificateAuthority } from "@kubewright/core/certificates";
import { silentLogger } from "@kubewright/core/log";
import { afterEach, expect, test } from "vitest";
import { AccessControl, allowAll } from "../access/index.js";
import type { ApiResponse } from "./api-request.js";
import type { Handler } from "./handler.js";
import { type ConnectionLimits, HttpsServer } from "./https-server.js";

const authority = new CertificateAuthority("limits");
const { certificate, privateKey } = authority.issueServer("localhost", ["127.0.0.1"]);
const ca = authority.certificate;
let server: HttpsServer;

afterEach(() => server.close());

/** A server that responds to each request with a text of this length. */
async function start(limits: Partial<ConnectionLimits>, length = 2): Promise<number> {
  const response: ApiResponse = { kind: "whole", status: 200, body: "x".repeat(length), contentType: "text/plain" };
  server = new HttpsServer({
    handler: { handle: () => response } as unknown as Handler,
    logger: silentLogger,
    certificate,
    privateKey,
    caCertificate: ca,
    access: new AccessControl({ authorizer: allowAll, authenticators: [], audience: "" }),
    limits: { requestMs: 60_000, sweepEveryMs: 5_000, connections: 10, ...limits },
  });
  return server.listen(0, "127.0.0.1");
}

async function openSocket(port: number): Promise<TLSSocket> {
  const socket = connect({ port, host: "127.0.0.1", ca, ALPNProtocols: ["http/1.1"] });
  socket.on("error", () => {});
  await once(socket, "secureConnect");
  return socket;
}

function statusOf(port: number): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request({ port, host: "127.0.0.1", ca, agent: false, path: "/version" }, (incoming) => {
      incoming.resume();
      resolve(incoming.statusCode);
    })
      .on("error", reject)
      .end();
  });
}

const head = "POST /api/v1/namespaces/default/configmaps HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n";

test("a client whose body does not arrive in time loses its connection, and others are served meanwhile", async () => {
  const port = await start({ requestMs: 30, sweepEveryMs: 10 });
  const slow = await openSocket(port);
  slow.write(`${head}{`);
  expect(await statusOf(port)).toBe(200);
  await once(slow, "close");
});

test("a client that does not read its response loses its connection", async () => {
  const port = await start({ requestMs: 30, sweepEveryMs: 10 }, 64 * 1024 * 1024);
  const slow = await openSocket(port);
  slow.pause();
  slow.write("GET /version HTTP/1.1\r\nHost: a\r\n\r\n");
  // Nothing is read, so that only the end of the server's side can end it.
  const ended = once(slow, "close");
  slow.once("end", () => slow.destroy());
  await new Promise((resolve) => setImmediate(resolve));
  slow.resume();
  let received = 0;
  slow.on("data", (chunk: Buffer) => {
    received += chunk.length;
    slow.pause();
    setTimeout(() => slow.resume(), 5);
  });
  await ended;
  expect(received).toBeLessThan(64 * 1024 * 1024);
});

test("a connection beyond the limit is closed, and one is accepted again when another has ended", async () => {
  const port = await start({ connections: 1 });
  const first = await openSocket(port);
  await expect(statusOf(port)).rejects.toThrow();
  first.destroy();
  await once(first, "close");
  await expect.poll(() => statusOf(port).catch(() => 0), { timeout: 10_000 }).toBe(200);
});
