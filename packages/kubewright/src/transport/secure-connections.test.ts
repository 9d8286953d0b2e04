import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { createServer as createHttpsServer, type ServerOptions } from "node:https";
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TLSSocket } from "node:tls";
import { CertificateAuthority, type CertificateValidity } from "@kubewright/core/certificates";
import { FakeClock } from "@kubewright/core/clock";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type Connection, HttpsTransport } from "./index.js";

interface Pair {
  readonly cert: string;
  readonly key: string;
}

let folder: string;
let authority: CertificateAuthority;
let otherAuthority: CertificateAuthority;
let serverPair: Pair;
const open: (() => Promise<unknown>)[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "kubewright-tls-"));
  authority = new CertificateAuthority("one");
  otherAuthority = new CertificateAuthority("two");
  serverPair = issue(authority, "server");
});
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

let files = 0;
function put(text: string): string {
  const file = join(folder, `file-${files++}`);
  writeFileSync(file, text);
  return file;
}

/** A server certificate if it is named so, else a client certificate. */
function issue(
  by: CertificateAuthority,
  name: string,
  { validity, names = ["127.0.0.1", "api.test"] }: { validity?: CertificateValidity; names?: string[] } = {},
): Pair {
  const { certificate, privateKey } =
    name === "server" ? by.issueServer(name, names, validity) : by.issueClient({ commonName: name });
  return { cert: certificate, key: privateKey };
}

async function listen(server: Server | ReturnType<typeof createTcpServer>): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push(async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  });
  return (server.address() as AddressInfo).port;
}

/** An API server over TLS that returns the name in the client's certificate. */
async function secureServer(options: ServerOptions = {}, handler?: RequestListener) {
  const server = createHttpsServer(
    { ...serverPair, requestCert: true, rejectUnauthorized: false, ...options },
    handler ??
      ((request, response) => {
        response
          .writeHead(200, { "content-type": "application/json" })
          .end(JSON.stringify({ client: clientOf(request) }));
      }),
  );
  return { server, port: await listen(server) };
}

function clientOf(request: IncomingMessage): string | null {
  const { CN } = (request.socket as TLSSocket).getPeerCertificate().subject ?? {};
  return typeof CN === "string" ? CN : null;
}

function transportTo(connection: Partial<Connection> & { server: string }, clock = new FakeClock()): HttpsTransport {
  const transport = new HttpsTransport(
    { credentials: { kind: "none" }, namespace: "default", ...connection },
    { clock, random: () => 0 },
  );
  open.push(() => transport.close());
  return transport;
}

const get = { method: "GET", path: "/api" } as const;

test("an unknown authority, another name or an expired server certificate is rejected with a helpful message", async () => {
  const { port } = await secureServer();
  const server = `https://127.0.0.1:${port}`;
  await expect(transportTo({ server, caCertificate: otherAuthority.certificate }).send(get)).rejects.toMatchObject({
    code: "TRANSPORT_FAILED",
    message: expect.stringMatching(/signed by an unknown authority; set "certificate-authority-data".*UNABLE_TO/),
  });
  await expect(transportTo({ server }).send(get)).rejects.toThrow(/signed by an unknown authority/);
  const named = { server, caCertificate: authority.certificate, tlsServerName: "other.test" };
  await expect(transportTo(named).send(get)).rejects.toThrow(/another name.*set "tls-server-name"/);
  const validity = { notBeforeMs: Date.UTC(2020, 0, 1), notAfterMs: Date.UTC(2021, 0, 1) };
  const expired = await secureServer(issue(authority, "server", { validity }));
  await expect(
    transportTo({ server: `https://127.0.0.1:${expired.port}`, caCertificate: authority.certificate }).send(get),
  ).rejects.toThrow(/has expired; renew it, or check this machine's clock/);
});

test("tls-server-name is the name verified in the certificate", async () => {
  const { port } = await secureServer(issue(authority, "server", { names: ["api.internal"] }));
  const server = `https://127.0.0.1:${port}`;
  const right = transportTo({ server, caCertificate: authority.certificate, tlsServerName: "api.internal" });
  expect((await right.send(get)).status).toBe(200);
  await expect(transportTo({ server, caCertificate: authority.certificate }).send(get)).rejects.toThrow(/another name/);
});

test("a server that does not speak TLS has its own message", async () => {
  const port = await listen(createHttpServer((_, response) => response.end("{}")));
  const transport = transportTo({ server: `https://127.0.0.1:${port}` });
  await expect(transport.send(get)).rejects.toThrow(
    /does not speak TLS; check whether its address should start with "http:"/,
  );
});

test("insecure-skip-tls-verify accepts any certificate, and is rejected together with a CA", async () => {
  const { port } = await secureServer();
  const unchecked = { server: `https://127.0.0.1:${port}`, insecureSkipTlsVerify: true };
  expect((await transportTo(unchecked).send(get)).status).toBe(200);
  await expect(transportTo({ ...unchecked, caCertificate: authority.certificate }).send(get)).rejects.toMatchObject({
    code: "CONFIG_INVALID",
    message: expect.stringContaining("insecure-skip-tls-verify"),
  });
});

test("an invalid CA or client certificate is rejected before anything is sent", async () => {
  const server = "https://127.0.0.1:1";
  const invalid = { code: "CONFIG_INVALID" };
  await expect(transportTo({ server, caCertificate: "oops" }).send(get)).rejects.toMatchObject(invalid);
  const [one, two] = [issue(authority, "one"), issue(authority, "two")];
  for (const [certificate, key] of [
    ["oops", "oops"],
    [one.cert, two.key],
  ] as const) {
    const transport = transportTo({ server, credentials: { kind: "certificate", certificate, key } });
    await expect(transport.send(get)).rejects.toMatchObject(invalid);
  }
});

test("client certificate files are reloaded a minute after they changed, but never a mismatched pair", async () => {
  const { port } = await secureServer({ ca: authority.certificate });
  const [one, two] = [issue(authority, "one"), issue(authority, "two")];
  const [certificateFile, keyFile] = [put(one.cert), put(one.key)];
  const clock = new FakeClock();
  const transport = transportTo(
    {
      server: `https://127.0.0.1:${port}`,
      caCertificate: authority.certificate,
      credentials: { kind: "certificate", certificate: one.cert, key: one.key, certificateFile, keyFile },
    },
    clock,
  );
  const client = async (): Promise<unknown> => (await transport.send(get)).body;
  expect(await client()).toEqual({ client: "one" });
  writeFileSync(certificateFile, `${two.cert}\n`);
  expect(await client()).toEqual({ client: "one" });
  clock.advance(60_000);
  expect(await client()).toEqual({ client: "one" });
  writeFileSync(keyFile, `${two.key}\n`);
  expect(await client()).toEqual({ client: "two" });
});

test("a watch continues on its old connection when the client certificate changes", async () => {
  const responses: { write(text: string): unknown }[] = [];
  const { port } = await secureServer({ ca: authority.certificate }, (request, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    if (request.url !== "/watch") return response.end(JSON.stringify({ client: clientOf(request) }));
    responses.push(response);
    response.write(`{"n":1}\n`);
  });
  const [one, two] = [issue(authority, "one"), issue(authority, "two")];
  const [certificateFile, keyFile] = [put(one.cert), put(one.key)];
  const clock = new FakeClock();
  const credentials = { kind: "certificate", certificate: one.cert, key: one.key, certificateFile, keyFile } as const;
  const server = `https://127.0.0.1:${port}`;
  const transport = transportTo({ server, caCertificate: authority.certificate, credentials }, clock);
  const watch = await transport.stream({ method: "GET", path: "/watch" });
  if (watch.kind !== "stream") throw new Error("expected a stream");
  const items = watch.items[Symbol.asyncIterator]();
  expect((await items.next()).value).toEqual({ n: 1 });
  writeFileSync(certificateFile, `${two.cert}\n`);
  writeFileSync(keyFile, `${two.key}\n`);
  clock.advance(60_000);
  expect((await transport.send(get)).body).toEqual({ client: "two" });
  for (const response of responses) response.write(`{"n":2}\n`);
  expect((await items.next()).value).toEqual({ n: 2 });
});

test("when the server's CA is replaced, the CA file is reloaded at once and even a write is retried", async () => {
  const { server, port } = await secureServer();
  const caCertificateFile = put(authority.certificate);
  const transport = transportTo({
    server: `https://127.0.0.1:${port}`,
    caCertificate: authority.certificate,
    caCertificateFile,
  });
  expect((await transport.send(get)).status).toBe(200);
  server.setSecureContext(issue(otherAuthority, "server"));
  server.closeAllConnections();
  writeFileSync(caCertificateFile, `${otherAuthority.certificate}\n`);
  // Nothing was sent before the handshake failed.
  await until(
    async () => (await transport.send({ method: "POST", path: "/x", body: {} }).catch(() => undefined))?.status === 200,
  );
});

test("a plugin's client certificate is used, and replaced after a 401", async () => {
  const { port } = await secureServer({ ca: authority.certificate }, (request, response) => {
    const client = clientOf(request);
    response.writeHead(client === "two" ? 200 : 401, { "content-type": "application/json" });
    response.end(JSON.stringify({ client }));
  });
  const pairs = [issue(authority, "one"), issue(authority, "two")];
  const counter = put("");
  const script = put(`
const { appendFileSync, readFileSync } = require("node:fs");
appendFileSync(${JSON.stringify(counter)}, "x");
const { cert, key } = ${JSON.stringify(pairs)}[readFileSync(${JSON.stringify(counter)}, "utf8").length - 1];
console.log(JSON.stringify({ kind: "ExecCredential", apiVersion: "client.authentication.k8s.io/v1",
  status: { clientCertificateData: cert, clientKeyData: key } }));`);
  const transport = transportTo({
    server: `https://127.0.0.1:${port}`,
    caCertificate: authority.certificate,
    credentials: {
      kind: "exec",
      plugin: {
        apiVersion: "client.authentication.k8s.io/v1",
        command: process.execPath,
        args: [script],
        env: [],
        interactiveMode: "Never",
        provideClusterInfo: false,
      },
    },
  });
  expect(await transport.send(get)).toMatchObject({ status: 200, body: { client: "two" } });
});

test("a plugin does not run again because the server is not trusted", async () => {
  const { port } = await secureServer();
  const counter = put("");
  const script = put(`
require("node:fs").appendFileSync(${JSON.stringify(counter)}, "x");
console.log(JSON.stringify({ kind: "ExecCredential", apiVersion: "client.authentication.k8s.io/v1", status: { token: "t" } }));`);
  const transport = transportTo({
    server: `https://127.0.0.1:${port}`,
    caCertificate: otherAuthority.certificate,
    credentials: {
      kind: "exec",
      plugin: {
        apiVersion: "client.authentication.k8s.io/v1",
        command: process.execPath,
        args: [script],
        env: [],
        interactiveMode: "Never",
        provideClusterInfo: false,
      },
    },
  });
  await expect(transport.send(get)).rejects.toThrow(/signed by an unknown authority/);
  expect(readFileSync(counter, "utf8")).toBe("x");
});

test("a server that requires a client certificate rejects a missing or untrusted one", async () => {
  const { port } = await secureServer({ ca: authority.certificate, rejectUnauthorized: true });
  const server = `https://127.0.0.1:${port}`;
  const { cert: certificate, key } = issue(otherAuthority, "stranger");
  for (const credentials of [{ kind: "none" }, { kind: "certificate", certificate, key }] as const) {
    const transport = transportTo({ server, caCertificate: authority.certificate, credentials });
    await expect(transport.send({ method: "POST", path: "/x" })).rejects.toMatchObject({ code: "TRANSPORT_FAILED" });
  }
});

/** A proxy that opens tunnels to this machine regardless of the requested host, and records the requests. */
async function connectProxy(options?: ServerOptions, rejectWith?: number) {
  const asked: { target: string | undefined; authorization: string | undefined }[] = [];
  const proxy = options ? createHttpsServer(options) : createHttpServer();
  proxy.on("connect", (request: IncomingMessage, socket: Socket) => {
    asked.push({ target: request.url, authorization: request.headers["proxy-authorization"] });
    if (rejectWith !== undefined) return socket.end(`HTTP/1.1 ${rejectWith} No\r\n\r\n`);
    const upstream = connect(Number(request.url?.split(":").at(-1)), "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      upstream.pipe(socket).pipe(upstream);
    });
    upstream.on("error", () => socket.destroy());
    socket.on("error", () => upstream.destroy()).on("close", () => upstream.destroy());
  });
  return { port: await listen(proxy), asked };
}

test("requests and watches use an HTTP proxy, with TLS end to end, and only the proxy gets its password", async () => {
  const { port } = await secureServer(undefined, (request, response) => {
    expect(request.headers["proxy-authorization"]).toBeUndefined();
    response.writeHead(200, { "content-type": "application/json" }).end(`{"url":"${request.url}"}\n`);
  });
  const proxy = await connectProxy();
  const transport = transportTo({
    server: `https://api.test:${port}`,
    caCertificate: authority.certificate,
    proxyUrl: `http://me:p%40ss@127.0.0.1:${proxy.port}`,
  });
  expect((await transport.send(get)).body).toEqual({ url: "/api" });
  const watch = await transport.stream({ method: "GET", path: "/watch" });
  if (watch.kind !== "stream") throw new Error("expected a stream");
  expect((await watch.items[Symbol.asyncIterator]().next()).value).toEqual({ url: "/watch" });
  const authorization = `Basic ${Buffer.from("me:p@ss").toString("base64")}`;
  expect(proxy.asked).toEqual([
    { target: `api.test:${port}`, authorization },
    { target: `api.test:${port}`, authorization },
  ]);
});

test("the environment's proxy is used, also an https one", async () => {
  const { port } = await secureServer();
  const proxy = await connectProxy(serverPair);
  const transport = transportTo({
    server: `https://api.test:${port}`,
    caCertificate: authority.certificate,
    environmentProxy: { httpsProxy: `https://127.0.0.1:${proxy.port}` },
  });
  expect((await transport.send(get)).status).toBe(200);
  expect(proxy.asked).toHaveLength(1);
});

test.each([
  [403, /CONNECT to api\.test:1 returned status 403/],
  [407, /requires a username and password \(407\)/],
])("a proxy that returns %i is named in the error", async (status, message) => {
  const proxy = await connectProxy(undefined, status);
  const transport = transportTo({ server: "https://api.test:1", proxyUrl: `http://a:secret@127.0.0.1:${proxy.port}` });
  await expect(transport.send(get)).rejects.toMatchObject({
    code: "TRANSPORT_FAILED",
    message: expect.stringMatching(message),
  });
  await expect(transport.send(get)).rejects.toThrow(
    /^(?!.*secret)Cannot GET "\/api" at https:\/\/api\.test:1: Cannot connect through the proxy/,
  );
});

/** A SOCKS5 proxy that requires `login` if it is set, and connects to this machine. */
async function socksProxy(login?: string) {
  const asked: string[] = [];
  const proxy = createTcpServer((socket) => {
    let state: "greeting" | "login" | "request" = "greeting";
    const onData = (data: Buffer): void => {
      if (state === "greeting") {
        const method = login === undefined ? 0 : 2;
        state = login === undefined ? "request" : "login";
        // In two chunks, as networks may do.
        socket.write(Uint8Array.of(5));
        socket.write(Uint8Array.of(data.subarray(2).includes(method) ? method : 255));
      } else if (state === "login") {
        const name = data.subarray(2, 2 + (data[1] ?? 0)).toString();
        const password = data.subarray(3 + (data[1] ?? 0)).toString();
        state = "request";
        socket.write(Uint8Array.of(1, `${name}:${password}` === login ? 0 : 1));
      } else {
        const port = data.readUInt16BE(data.length - 2);
        asked.push(
          `${data[3]} ${data[3] === 3 ? data.subarray(5, -2).toString() : data.subarray(4, -2).toString("hex")}`,
        );
        socket.off("data", onData);
        const upstream = connect(port, "127.0.0.1", () => {
          socket.write(Uint8Array.of(5, 0, 0, 1, 127, 0, 0, 1, 0, 0));
          upstream.pipe(socket).pipe(upstream);
        });
        upstream.on("error", () => socket.end(Uint8Array.of(5, 5, 0, 1, 0, 0, 0, 0, 0, 0)));
        socket.on("error", () => upstream.destroy()).on("close", () => upstream.destroy());
      }
    };
    socket.on("data", onData);
  });
  return { port: await listen(proxy), asked };
}

test("requests use a SOCKS5 proxy, which resolves host names", async () => {
  const { port } = await secureServer();
  const proxy = await socksProxy();
  const proxyUrl = `socks5://127.0.0.1:${proxy.port}`;
  for (const host of ["api.test", "127.0.0.1"]) {
    const transport = transportTo({
      server: `https://${host}:${port}`,
      caCertificate: authority.certificate,
      proxyUrl,
    });
    expect((await transport.send(get)).status).toBe(200);
  }
  const six = transportTo({ server: `https://[fd00::1:2]:${port}`, caCertificate: authority.certificate, proxyUrl });
  await expect(six.send(get)).rejects.toThrow(/another name/);
  expect(proxy.asked).toEqual(["3 api.test", "1 7f000001", `4 fd00${"0".repeat(20)}00010002`]);
});

test("a SOCKS5 proxy gets username and password, and its rejections are reported", async () => {
  const { port } = await secureServer();
  const proxy = await socksProxy("me:secret");
  const through = (login: string, server = `https://api.test:${port}`) =>
    transportTo({
      server,
      caCertificate: authority.certificate,
      proxyUrl: `socks5://${login}127.0.0.1:${proxy.port}`,
    }).send(get);
  expect((await through("me:secret@")).status).toBe(200);
  await expect(through("me:wrong@")).rejects.toThrow(/it rejected the username and password/);
  await expect(through("")).rejects.toThrow(/does not support|requires a username and password/);
  await expect(through("me:secret@", "https://api.test:1")).rejects.toThrow(
    /cannot connect to api\.test:1: the connection was refused/,
  );
});

/** Waits for sockets, which the fake clock does not control. */
async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise(setImmediate);
}
