import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { FakeClock } from "@kubewright/core/clock";
import { isNotFound } from "@kubewright/core/errors";
import { afterEach, expect, test } from "vitest";
import { clientFrames, exitStatus, type ServedExec, serveExec, serverFrame } from "../../test/exec-server.js";
import { Pod } from "../k8s/core/v1.gen.js";
import { HttpsTransport } from "../transport/index.js";
import { type Client, createClient } from "./index.js";

const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function clientOf(server: Server): Promise<Client> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => sockets.add(socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const clock = new FakeClock();
  const transport = new HttpsTransport(
    { server: `http://127.0.0.1:${port}`, credentials: { kind: "none" }, namespace: "default" },
    { clock, random: () => 0 },
  );
  open.push(async () => {
    await transport.close();
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return createClient(transport, { clock });
}

function serving(run: (served: ServedExec) => void): Promise<Client> {
  const server = createServer();
  serveExec(server, run);
  return clientOf(server);
}

function answering(listener: RequestListener): Promise<Client> {
  return clientOf(createServer(listener));
}

test("attach sends the input, and passes the output on until the process ends", async () => {
  const asked: string[] = [];
  const client = await serving(({ request, stdin, stdout, stderr, exit }) => {
    asked.push(request.url ?? "");
    void stdin.then((input) => {
      stdout(String(input).toUpperCase());
      stderr("done");
      exit(exitStatus.success);
    });
  });
  const seen: string[] = [];
  await client.attach(Pod, "web-0", {
    container: "web",
    stdin: "quiet",
    onOutput: (output, stream) => seen.push(`${stream}: ${Buffer.from(output)}`),
  });
  expect(seen).toEqual(["stdout: QUIET", "stderr: done"]);
  expect(asked).toEqual([
    "/api/v1/namespaces/default/pods/web-0/attach?container=web&stdout=true&stdin=true&stderr=true",
  ]);
});

test("attach ends when the server closes the connection, and when its signal is aborted", async () => {
  const controller = new AbortController();
  const client = await serving(({ query, stdout, close }) => {
    stdout("running");
    if (query.get("tty") === "true") close();
  });
  await client.attach(Pod, "web-0", { tty: true });
  const attached = client.attach(Pod, "web-0", { signal: controller.signal, onOutput: () => controller.abort() });
  await expect(attached).rejects.toThrow("aborted");
});

test("attach throws what the server reports", async () => {
  const client = await serving(({ exit }) => exit(exitStatus.internal("container not running")));
  await expect(client.attach(Pod, "web-0")).rejects.toThrow(
    'Cannot attach to Pod "default/web-0": container not running',
  );
});

/** A pod that writes back what it reads, in upper case; `refused` is what the kubelet reports instead. */
function echo({ query, raw, socket }: ServedExec, refused?: string): void {
  const port = Number(query.get("ports"));
  for (const channel of [0, 1]) raw(serverFrame(2, Buffer.of(channel, port & 0xff, port >> 8)));
  if (refused !== undefined) raw(serverFrame(2, Buffer.concat([Buffer.of(1), Buffer.from(refused)])));
  const decode = clientFrames();
  socket.on("data", (chunk: Buffer) => {
    for (const { opcode, data } of decode(chunk))
      if (opcode === 2)
        raw(serverFrame(2, Buffer.concat([Buffer.of(0), Buffer.from(String(data.subarray(1)).toUpperCase())])));
  });
}

test("a forwarded port carries several connections to the port of the Pod, until it is closed", async () => {
  const urls: string[] = [];
  const client = await serving((served) => {
    // A kubelet rejects JSON here.
    urls.push(`${served.request.headers.accept} ${served.request.url}`);
    echo(served);
  });
  const forward = await client.portForward(Pod, "web-0", { port: 8_080 });
  const connections = [connect(forward.port, "127.0.0.1"), connect(forward.port, "127.0.0.1")];
  for (const [at, connection] of connections.entries()) {
    connection.write(`hello ${at}`);
    expect(String((await once(connection, "data"))[0])).toBe(`HELLO ${at}`);
  }
  expect(urls).toEqual(Array(2).fill("*/* /api/v1/namespaces/default/pods/web-0/portforward?ports=8080"));
  const closed = Promise.all(connections.map((connection) => once(connection, "close")));
  await forward.close();
  await closed;
  const refused = connect(forward.port, "127.0.0.1");
  await expect(once(refused, "connect")).rejects.toThrow("ECONNREFUSED");
});

test("a connection that the Pod refuses is closed with the reason, and others are not", async () => {
  const errors: string[] = [];
  const client = await serving((served) => echo(served, errors.length === 0 ? "connection refused\n" : undefined));
  await using forward = await client.portForward(Pod, "web-0", {
    port: 1,
    onError: (error) => errors.push((error as Error).message),
  });
  const refused = connect(forward.port, "127.0.0.1");
  await once(refused, "close");
  expect(errors).toEqual(['Cannot forward port 1 to Pod "default/web-0": connection refused']);
  const connection = connect(forward.port, "127.0.0.1");
  connection.write("again");
  expect(String((await once(connection, "data"))[0])).toBe("AGAIN");
  connection.destroy();
});

test("an aborted signal closes a forwarded port", async () => {
  const client = await serving((served) => echo(served));
  const controller = new AbortController();
  const forward = await client.portForward(Pod, "web-0", { port: 80, signal: controller.signal });
  const connection = connect(forward.port, "127.0.0.1");
  await once(connection, "connect");
  const closed = once(connection, "close");
  controller.abort();
  await closed;
});

test("a followed log yields its lines as they are written, empty ones too, and leaving the loop ends it", async () => {
  let url = "";
  let isClosed: Promise<unknown> = Promise.resolve();
  const client = await answering((request, response) => {
    url = request.url ?? "";
    isClosed = once(response, "close");
    response.writeHead(200, { "content-type": "text/plain" });
    response.write("first\n\nsec");
    setImmediate(() => response.write("ond\nthird\n"));
  });
  const seen: string[] = [];
  for await (const line of client.followLogs(Pod, "web-0", { container: "web", tailLines: 5 })) {
    seen.push(line);
    if (line === "third") break;
  }
  expect(seen).toEqual(["first", "", "second", "third"]);
  expect(url).toBe("/api/v1/namespaces/default/pods/web-0/log?container=web&tailLines=5&follow=true");
  await isClosed;
});

test("a followed log ends with its container, and a missing Pod is reported", async () => {
  const client = await answering((request, response) => {
    if (request.url?.includes("web-0")) return void response.end("only\nwithout newline");
    response.writeHead(404, { "content-type": "application/json" });
    const status = {
      kind: "Status",
      apiVersion: "v1",
      status: "Failure",
      reason: "NotFound",
      code: 404,
      message: "gone",
    };
    response.end(JSON.stringify(status));
  });
  const seen: string[] = [];
  for await (const line of client.followLogs(Pod, "web-0")) seen.push(line);
  expect(seen).toEqual(["only", "without newline"]);
  const missing = client.followLogs(Pod, "other")[Symbol.asyncIterator]().next();
  expect(isNotFound(await missing.catch((error: unknown) => error))).toBe(true);
});
