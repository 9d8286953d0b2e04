import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { createServer, request as httpsRequest, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import type { TLSSocket } from "node:tls";
import { type Cluster, type Listening, startCluster } from "@kubewright/cluster";
import { CertificateAuthority } from "@kubewright/core/certificates";
import { afterEach, beforeEach, expect, test } from "vitest";

/** What a kubelet received. */
interface Received {
  readonly method: string;
  readonly url: string;
  readonly user: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

let folder: string;
let cluster: Cluster;
let listening: Listening;
let authority: CertificateAuthority;
let kubelet: Server;
let received: Received[];

const pod = "/api/v1/namespaces/default/pods/web";

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "kubewright-kubelet-"));
  cluster = await startCluster({ dataDir: folder, workloads: false });
  listening = await cluster.listen();
  authority = new CertificateAuthority(
    "kubewright-ca",
    JSON.parse(readFileSync(join(folder, "authority.json"), "utf8")) as { certificate: string; privateKey: string },
  );
  received = [];
  kubelet = await startKubelet(authority);
  await addNode(kubelet);
});

afterEach(async () => {
  kubelet.closeAllConnections();
  kubelet.close();
  await cluster.close();
  rmSync(folder, { recursive: true });
});

/** A kubelet with some of its paths: it accepts clients of the cluster, and echoes what an exec sends. */
async function startKubelet(signer: CertificateAuthority): Promise<Server> {
  const { certificate: cert, privateKey: key } = signer.issueServer("system:node:real", ["127.0.0.1"]);
  const server = createServer({ cert, key, ca: authority.certificate, requestCert: true });
  const note = (request: IncomingMessage): void => {
    const { subject } = (request.socket as TLSSocket).getPeerCertificate();
    const { method = "", url = "", headers } = request;
    received.push({ method, url, user: `${subject?.CN} of ${subject?.O}`, headers });
  };
  server.on("request", (request, response) => {
    note(request);
    const path = request.url ?? "";
    if (path.startsWith("/containerLogs/default/web/app")) {
      response.write("first\n");
      if (path.includes("follow=true")) setImmediate(() => response.end("second\n"));
      else response.end();
    } else if (path.startsWith("/containerLogs/default/web/broken")) {
      response.writeHead(400).end('container "broken" in pod "web" is waiting to start: ContainerCreating');
    } else if (path === "/exec/default/web/broken") response.writeHead(500).end("no such container");
    else response.writeHead(404).end("404 page not found\n");
  });
  server.on("upgrade", (request: IncomingMessage, socket: Duplex) => {
    note(request);
    if (request.url?.startsWith("/exec/default/web/broken") === true) {
      socket.end("HTTP/1.1 404 Not Found\r\nContent-Length: 17\r\nConnection: close\r\n\r\ncontainer missing");
      return;
    }
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${request.headers.upgrade}\r\n\r\n`,
    );
    socket.write("ready;");
    socket.on("data", (data: Buffer) => socket.write(data));
    socket.on("end", () => socket.end());
    socket.on("error", () => socket.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

async function addNode(server: Server): Promise<void> {
  const { port } = server.address() as AddressInfo;
  await send("POST", "/api/v1/nodes", { metadata: { name: "real" } });
  const status = {
    addresses: [{ type: "InternalIP", address: "127.0.0.1" }],
    daemonEndpoints: { kubeletEndpoint: { Port: port } },
  };
  await send("PUT", "/api/v1/nodes/real/status", { metadata: { name: "real" }, status });
  const containers = ["app", "broken"].map((name) => ({ name, image: "app:1" }));
  await send("POST", "/api/v1/namespaces/default/pods", {
    metadata: { name: "web" },
    spec: { nodeName: "real", containers },
  });
}

async function send(
  method: "GET" | "POST" | "PUT",
  path: string,
  body?: object,
): Promise<{ status: number; body: unknown }> {
  const response = await cluster.transport.send({ method, path, ...(body && { body }) });
  if (method !== "GET" && response.status >= 300) throw new Error(JSON.stringify(response.body));
  return response;
}

/** A request over HTTPS, with the response's text. */
function fetchText(
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const { url, caCertificate: ca, adminToken } = listening;
    const options = { ca, agent: false as const, headers: { authorization: `Bearer ${adminToken}`, ...headers } };
    const outgoing = httpsRequest(new URL(path, url), options, (incoming) => {
      incoming.setEncoding("utf8");
      let text = "";
      incoming.on("data", (chunk: string) => {
        text += chunk;
      });
      incoming.on("end", () => resolve({ status: incoming.statusCode ?? 0, text }));
    });
    outgoing.on("upgrade", (_, socket, head) => {
      let text = head.toString();
      socket.on("data", (data: Buffer) => {
        text += data.toString();
        if (text.endsWith("ready;")) socket.write("ls -l");
        if (text.endsWith("ls -l")) socket.end();
      });
      socket.on("close", () => resolve({ status: 101, text }));
    });
    outgoing.on("error", reject);
    outgoing.end();
  });
}

const upgrade = { connection: "Upgrade", upgrade: "SPDY/3.1" };

test("the log of a container on a real node comes from its kubelet, in process and over HTTPS", async () => {
  const query = "container=app&tailLines=5&timestamps=true&previous=true&sinceTime=2030-01-01T00:00:00Z&limitBytes=99";
  expect(await fetchText(`${pod}/log?${query}`)).toEqual({ status: 200, text: "first\n" });
  expect(received[0]).toMatchObject({
    method: "GET",
    url: "/containerLogs/default/web/app?previous=true&timestamps=true&sinceTime=2030-01-01T00%3A00%3A00Z&tailLines=5&limitBytes=99",
    user: "kube-apiserver-kubelet-client of system:masters",
  });
  expect(await fetchText(`${pod}/log?container=app&follow=true`)).toEqual({ status: 200, text: "first\nsecond\n" });
  const response = await cluster.transport.send({ method: "GET", path: `${pod}/log`, query: { container: "app" } });
  expect(response).toMatchObject({ status: 200, body: "first\n" });
});

test("a followed log is a stream in process, which ends with the container", async () => {
  const query = { container: "app", follow: "true" };
  const stream = await cluster.transport.stream({ method: "GET", path: `${pod}/log`, query });
  if (stream.kind !== "stream") throw new Error("no stream");
  let text = "";
  for await (const chunk of stream.items) text += String(chunk);
  expect(text).toBe("first\nsecond\n");
});

test("a rejection of the kubelet becomes a Status with its message", async () => {
  const { status, text } = await fetchText(`${pod}/log?container=broken`);
  expect([status, (JSON.parse(text) as { message: string }).message]).toEqual([
    400,
    'container "broken" in pod "web" is waiting to start: ContainerCreating',
  ]);
});

test("exec is forwarded with its whole command, and the connection is then the kubelet's", async () => {
  const query = "container=app&stdin=true&stdout=true&tty=true&command=ls&command=-l";
  expect(await fetchText(`${pod}/exec?${query}`, upgrade)).toEqual({ status: 101, text: "ready;ls -l" });
  expect(received[0]).toMatchObject({ url: "/exec/default/web/app?input=1&output=1&tty=1&command=ls&command=-l" });
  expect(received[0]?.headers).toMatchObject({ upgrade: "SPDY/3.1" });
  expect(received[0]?.headers).not.toHaveProperty("authorization");
});

test("attach and portforward are forwarded", async () => {
  expect((await fetchText(`${pod}/attach?container=app&stdin=true`, upgrade)).status).toBe(101);
  expect((await fetchText(`${pod}/portforward?ports=80&ports=81`, upgrade)).status).toBe(101);
  expect(received.map(({ url }) => url)).toEqual([
    "/attach/default/web/app?input=1",
    "/portForward/default/web?port=80%2C81",
  ]);
});

test("an exec that the kubelet rejects gets the kubelet's response", async () => {
  expect(await fetchText(`${pod}/exec?container=broken&command=ls`, upgrade)).toEqual({
    status: 404,
    text: "container missing",
  });
});

test("exec without an upgrade is a bad request", async () => {
  const { status, text } = await fetchText(`${pod}/exec?container=app&command=ls`);
  expect([status, (JSON.parse(text) as { message: string }).message]).toEqual([400, "Upgrade request required"]);
  expect(received).toEqual([]);
});

test("a WebSocket exec, which is a GET, needs the permission to create", async () => {
  const rules = [{ apiGroups: [""], resources: ["pods/exec"], verbs: ["get"] }];
  const group = "/apis/rbac.authorization.k8s.io/v1/namespaces/default";
  await send("POST", `${group}/roles`, { metadata: { name: "reader" }, rules });
  await send("POST", `${group}/rolebindings`, {
    metadata: { name: "reader" },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "reader" },
    subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "ann" }],
  });
  const { status } = await fetchText(`${pod}/exec?container=app&command=ls`, { ...upgrade, "impersonate-user": "ann" });
  expect(status).toBe(403);
  expect(received).toEqual([]);
});

test("a kubelet that is gone is an error as of kube-apiserver", async () => {
  const { port } = kubelet.address() as AddressInfo;
  kubelet.closeAllConnections();
  kubelet.close();
  await once(kubelet, "close");
  const messages = await Promise.all(
    [fetchText(`${pod}/log?container=app`), fetchText(`${pod}/exec?container=app&command=ls`, upgrade)].map(
      async (response) => JSON.parse((await response).text) as { code: number; message: string },
    ),
  );
  expect(messages.map(({ code, message }) => `${code} ${message}`)).toEqual([
    `500 Get "https://127.0.0.1:${port}/containerLogs/default/web/app": dial tcp 127.0.0.1:${port}: connect: connection refused`,
    `500 error dialing backend: dial tcp 127.0.0.1:${port}: connect: connection refused`,
  ]);
});

test("a kubelet with a certificate of another CA is not trusted, unless the request of a log says so", async () => {
  const impostor = await startKubelet(new CertificateAuthority("stranger"));
  const { port } = impostor.address() as AddressInfo;
  await send("PUT", "/api/v1/nodes/real/status", {
    metadata: { name: "real" },
    status: {
      addresses: [{ type: "InternalIP", address: "127.0.0.1" }],
      daemonEndpoints: { kubeletEndpoint: { Port: port } },
    },
  });
  const { status, text } = await fetchText(`${pod}/log?container=app`);
  expect(status).toBe(500);
  expect(text).toContain("tls: failed to verify certificate: x509: certificate signed by unknown authority");
  const insecure = await fetchText(`${pod}/log?container=app&insecureSkipTLSVerifyBackend=true`);
  expect(insecure).toEqual({ status: 200, text: "first\n" });
  impostor.closeAllConnections();
  impostor.close();
});

test("proxies do not reach loopback addresses", async () => {
  for (const path of ["/api/v1/nodes/real/proxy/metrics", "/api/v1/nodes/real:9100/proxy/metrics"]) {
    const { status, text } = await fetchText(path);
    expect([status, (JSON.parse(text) as { message: string }).message]).toEqual([400, "address not allowed"]);
  }
});
