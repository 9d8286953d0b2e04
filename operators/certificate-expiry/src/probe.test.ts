import { createServer as createTcpServer, type Server } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { CertificateAuthority } from "@kubewright/core/certificates";
import { FakeClock } from "@kubewright/core/clock";
import { afterEach, expect, test } from "vitest";
import { probeCertificate } from "./index.js";

const signal = new AbortController().signal;
const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
});

async function portOf(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port");
  return address.port;
}

function tlsServer(notAfterMs: number): Server {
  const authority = new CertificateAuthority("Test CA");
  const { certificate, privateKey } = authority.issueServer("shop", ["localhost"], { notBeforeMs: 0, notAfterMs });
  return createTlsServer({ cert: certificate, key: privateKey }, (socket) => socket.on("error", () => undefined));
}

test("a certificate is read, also an expired one of an unknown CA, and the connection is closed", async () => {
  const notAfterMs = Date.parse("2020-06-01T00:00:00Z");
  const server = tlsServer(notAfterMs);
  const port = await portOf(server);
  const closed = new Promise<void>((resolve) => server.once("connection", (socket) => socket.once("close", resolve)));
  const finding = await probeCertificate({ host: "localhost", port }, { clock: new FakeClock(), signal });
  expect(finding).toMatchObject({ kind: "certificate", notAfterMs, issuer: expect.stringContaining("Test CA") });
  expect(finding.kind === "certificate" && finding.trustError).toMatch(/^[A-Z_]+$/);
  await closed;
});

test("a server that is not there, and one that does not speak TLS, are unreachable with the reason", async () => {
  const clock = new FakeClock();
  const server = createTcpServer((socket) => socket.resume().end("HTTP/1.1 400 Bad Request\r\n\r\n"));
  const port = await portOf(server);
  expect(await probeCertificate({ host: "127.0.0.1", port }, { clock, signal })).toMatchObject({
    kind: "unreachable",
    reason: "ConnectionFailed",
  });
  await new Promise((resolve) => servers.pop()?.close(resolve));
  expect(await probeCertificate({ host: "127.0.0.1", port }, { clock, signal })).toMatchObject({
    kind: "unreachable",
    reason: "ConnectionFailed",
    message: expect.stringContaining("ECONNREFUSED"),
  });
});

test("a server that accepts the connection and stays silent times out by the clock, and its socket is closed", async () => {
  const clock = new FakeClock();
  const silent = createTcpServer();
  const port = await portOf(silent);
  const accepted = new Promise<import("node:net").Socket>((resolve) => silent.once("connection", resolve));
  const finding = probeCertificate({ host: "127.0.0.1", port }, { clock, signal });
  const socket = await accepted;
  const closed = new Promise((resolve) => socket.resume().once("close", resolve));
  clock.advance(10_000);
  expect(await finding).toMatchObject({ kind: "unreachable", reason: "TimedOut" });
  await closed;
  expect(clock.pendingTimers).toBe(0);
});

test("an aborted run closes its connection and rejects with the reason", async () => {
  const silent = createTcpServer((socket) => void socket.resume());
  const port = await portOf(silent);
  const abort = new AbortController();
  const probing = probeCertificate({ host: "127.0.0.1", port }, { clock: new FakeClock(), signal: abort.signal });
  abort.abort(new Error("The lease was lost"));
  await expect(probing).rejects.toThrow("The lease was lost");
});
