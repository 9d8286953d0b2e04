import { createServer as createHttpServer, type RequestListener, type Server } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { CertificateAuthority } from "@kubewright/core/certificates";
import { FakeClock } from "@kubewright/core/clock";
import { isApiError, isForbidden, isNotFound } from "@kubewright/core/errors";
import { afterEach, expect, test } from "vitest";
import { exitStatus, type ServedExec, serveExec, serverFrame } from "../../test/exec-server.js";
import { Pod } from "../k8s/core/v1.gen.js";
import { type Connection, HttpsTransport } from "../transport/index.js";
import { createClient } from "./index.js";

const authority = new CertificateAuthority("exec");
const { certificate: cert, privateKey: key } = authority.issueServer("server", ["127.0.0.1"]);
const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push(async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  });
  return (server.address() as AddressInfo).port;
}

/** A client of an API server that runs commands so. */
async function clientOf(
  run: (exec: ServedExec) => void,
  connection: Partial<Connection> = {},
  protocols?: string[],
): Promise<ReturnType<typeof connectedTo>> {
  const server = createServer({ cert, key, requestCert: true, rejectUnauthorized: false });
  serveExec(server as unknown as Server, run, protocols);
  return connectedTo(`https://127.0.0.1:${await listen(server as unknown as Server)}`, connection);
}

function connectedTo(server: string, connection: Partial<Connection> = {}) {
  const clock = new FakeClock();
  const transport = new HttpsTransport(
    {
      server,
      ...(server.startsWith("https:") && { caCertificate: authority.certificate }),
      credentials: { kind: "none" },
      namespace: "default",
      ...connection,
    },
    { clock, random: () => 0 },
  );
  open.push(() => transport.close());
  return { client: createClient(transport, { clock, userAgent: "test" }), transport, clock };
}

const command = ["sh", "-c", "true"];

test("exec returns what the command wrote, and its exit code", async () => {
  const paths: (string | undefined)[] = [];
  const { client } = await clientOf(({ request, stdout, stderr, exit }) => {
    paths.push(request.url);
    // A character of several bytes in two messages.
    const text = Buffer.from("größe");
    stdout(text.subarray(0, 3));
    stderr("a warning");
    stdout(text.subarray(3));
    exit(exitStatus.failed(3));
  });
  expect(await client.exec(Pod, { namespace: "shop", name: "web-0" }, { container: "web", command })).toEqual({
    exitCode: 3,
    stdout: "größe",
    stderr: "a warning",
  });
  expect(paths).toEqual([
    "/api/v1/namespaces/shop/pods/web-0/exec?command=sh&command=-c&command=true&container=web&stdout=true&stderr=true",
  ]);
});

test("the standard input arrives whole and ends, also of a stream and beyond what the network takes at once", async () => {
  const { client } = await clientOf(({ stdin, stdout, exit }) => {
    void stdin.then((bytes) => {
      stdout(`${bytes.length} ${bytes.subarray(0, 6).toString()}`);
      exit(exitStatus.success);
    });
  });
  const large = Buffer.alloc(5_000_000, "abcde");
  async function* chunks() {
    yield Buffer.from("from ");
    yield Buffer.from("a stream");
  }
  for (const [stdin, stdout] of [
    ["größe", "7 größ"],
    [large, "5000000 abcdea"],
    [chunks(), "13 from a"],
    ["", "0 "],
  ] as const)
    expect(await client.exec(Pod, "web-0", { command: ["cat"], stdin })).toMatchObject({ exitCode: 0, stdout });
});

test("a terminal has no standard error of its own", async () => {
  const { client } = await clientOf(({ query, stdout, exit }) => {
    stdout(query.toString());
    exit(exitStatus.success);
  });
  expect((await client.exec(Pod, "web-0", { command: ["ls"], tty: true })).stdout).toBe(
    "command=ls&stdout=true&tty=true",
  );
});

test("token, impersonated groups and client certificate are those of other requests", async () => {
  const seen: unknown[] = [];
  const { certificate, privateKey } = authority.issueClient({ commonName: "builder" });
  const { client } = await clientOf(
    ({ request, exit }) => {
      const { authorization, "user-agent": agent } = request.headers;
      const groups = request.rawHeaders.filter((_, at, all) => /^impersonate-group$/i.test(all[at - 1] ?? ""));
      seen.push(
        authorization,
        groups,
        agent?.split("/")[0],
        (request.socket as TLSSocket).getPeerCertificate().subject.CN,
      );
      exit(exitStatus.success);
    },
    {
      credentials: { kind: "token", token: "secret", clientCertificate: { certificate, key: privateKey } },
      impersonate: { user: "jane", groups: ["a, b", "c"] },
    },
  );
  await client.exec(Pod, "web-0", { command });
  expect(seen).toEqual(["Bearer secret", ["a, b", "c"], "test", "builder"]);
});

test("a server that knows version 4 only runs commands without standard input", async () => {
  let started = 0;
  const { client } = await clientOf(
    ({ stdout, exit }) => {
      started++;
      stdout("old");
      exit(exitStatus.success);
    },
    {},
    ["v4.channel.k8s.io"],
  );
  expect((await client.exec(Pod, "web-0", { command })).stdout).toBe("old");
  await expect(client.exec(Pod, "web-0", { command, stdin: "x" })).rejects.toThrow(
    /Cannot run "sh" in Pod "default\/web-0": .*selected the WebSocket protocol "" instead of v5\.channel\.k8s\.io/,
  );
  expect(started).toBe(2);
});

test("a command that cannot be started has the error of the server", async () => {
  const { client } = await clientOf(({ exit }) => exit(exitStatus.internal('container "web" is not running')));
  const error: unknown = await client.exec(Pod, "web-0", { command }).catch((thrown: unknown) => thrown);
  expect(isApiError(error) && [error.code, error.message]).toEqual([
    "API_INTERNAL",
    'Cannot run "sh" in Pod "default/web-0": container "web" is not running',
  ]);
});

test("a server that does not upgrade is reported with its own message", async () => {
  let requests = 0;
  const respond: RequestListener = (request, response) => {
    requests++;
    const code = Number(request.url?.match(/code-(\d+)/)?.[1] ?? 0);
    const body = {
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: "says the server",
      code,
    };
    response.writeHead(code, { "content-type": "application/json" }).end(JSON.stringify(code < 300 ? {} : body));
  };
  const port = await listen(createHttpServer(respond));
  const { client } = connectedTo(`http://127.0.0.1:${port}`, {});
  const failure = (name: string): Promise<unknown> =>
    client.exec(Pod, name, { command }).catch((thrown: unknown) => thrown);
  const forbidden = await failure("code-403");
  expect(isForbidden(forbidden) && forbidden.message).toBe(
    'Cannot run "sh" in Pod "default/code-403": says the server',
  );
  expect(isNotFound(await failure("code-404"))).toBe(true);
  expect(await failure("code-500")).toMatchObject({ code: "API_INTERNAL" });
  expect(await failure("code-200")).toMatchObject({
    code: "TRANSPORT_FAILED",
    message: expect.stringMatching(/does not open a WebSocket \(status 200\); check for a proxy/),
  });
  expect(requests).toBe(4);
});

test("a proxy that does not complete the handshake is reported", async () => {
  const server = createHttpServer();
  server.on("upgrade", (_, socket) => {
    socket.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n");
  });
  const { client } = connectedTo(`http://127.0.0.1:${await listen(server)}`, {});
  await expect(client.exec(Pod, "web-0", { command })).rejects.toThrow(/did not complete the WebSocket handshake/);
});

test("too much output ends the command's connection with an error", async () => {
  let close = (): void => {};
  const closed = new Promise<void>((resolve) => {
    close = resolve;
  });
  const { client } = await clientOf(({ socket, stdout, stderr }) => {
    socket.on("close", close);
    stdout("x".repeat(600));
    stderr("y".repeat(600));
  });
  await expect(client.exec(Pod, "web-0", { command, maxOutputBytes: 1_000 })).rejects.toMatchObject({
    code: "EXEC_FAILED",
    message: expect.stringContaining("it wrote more than 1000 bytes"),
  });
  await closed;
});

test("without an exit status there is no result, and nothing is sent again", async () => {
  const ends: Readonly<Record<string, (exec: ServedExec) => void>> = {
    "without an exit status": ({ close }) => close(),
    "code 1011": ({ close }) => close(1011),
    "connection was lost": ({ socket }) => socket.destroy(),
    "exit status is unknown": ({ raw, close }) => {
      raw(serverFrame(2, Buffer.from("\u0003no status")));
      close();
    },
    masked: ({ raw }) => raw(Buffer.of(0x82, 0x80)),
  };
  const started: (string | null)[] = [];
  const { client } = await clientOf((exec) => {
    const why = exec.query.get("command") ?? "";
    started.push(why);
    exec.stdout("some output");
    ends[why]?.(exec);
  });
  for (const why of Object.keys(ends))
    await expect(client.exec(Pod, "web-0", { command: [why] })).rejects.toMatchObject({
      code: expect.stringMatching(/^(EXEC|TRANSPORT)_FAILED$/),
      message: expect.stringContaining(why),
    });
  expect(started).toEqual(Object.keys(ends));
});

test("an abort, a timeout, a failing input and the end of the transport close the connection", async () => {
  let start = (_: ServedExec): void => {};
  let running = new Promise<ServedExec>(() => {});
  const { client, transport, clock } = await clientOf((exec) => start(exec));
  const next = (): void => {
    running = new Promise((resolve) => {
      start = resolve;
    });
  };
  const ended = async (): Promise<void> => {
    const { socket } = await running;
    if (!socket.destroyed) await new Promise((resolve) => socket.once("close", resolve));
  };
  next();
  const abort = new AbortController();
  const aborted = client.exec(Pod, "web-0", { command, signal: abort.signal });
  await running;
  abort.abort(new Error("enough"));
  await expect(aborted).rejects.toThrow("enough");
  await ended();

  next();
  const late = client.exec(Pod, "web-0", { command, timeout: "5s" });
  await running;
  clock.advance(5_000);
  await expect(late).rejects.toMatchObject({ code: "TRANSPORT_FAILED", message: expect.stringContaining("5000 ms") });
  await ended();

  next();
  async function* failing() {
    yield Buffer.from("one");
    throw new Error("no more input");
  }
  await expect(client.exec(Pod, "web-0", { command, stdin: failing() })).rejects.toThrow("no more input");
  await ended();

  next();
  const left = client.exec(Pod, "web-0", { command });
  await running;
  await transport.close();
  await expect(left).rejects.toThrow("the transport was closed");
  await ended();
});

test("a command is needed", async () => {
  const { client } = connectedTo("https://127.0.0.1:1");
  await expect(client.exec(Pod, "web-0", { command: [] })).rejects.toThrow('"command" is empty');
});
