import type { Server } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { CertificateAuthority } from "@kubewright/core/certificates";
import { systemClock } from "@kubewright/core/clock";
import { isForbidden, isNotFound } from "@kubewright/core/errors";
import { kubeconfigText } from "@kubewright/testing/control-plane";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient } from "../src/client/index.js";
import { Node, Pod } from "../src/k8s/core/v1.gen.js";
import { Role, RoleBinding } from "../src/k8s/rbac/v1.gen.js";
import { HttpsTransport, parseKubeconfig } from "../src/transport/index.js";
import { exitStatus, serveExec } from "./exec-server.js";
import { type RealWorld, startRealWorld } from "./real-world.js";

let world: RealWorld;
let kubelet: Server;
/** Whether kube-apiserver passes WebSockets on to a kubelet that declares it: from Kubernetes 1.36. Else it speaks SPDY to it, which this test does not. */
let passesWebSockets = false;
let minor = 0;
const sockets = new Set<Socket>();

beforeAll(async () => {
  world = await startRealWorld();
  const { client } = world;
  minor = Number.parseInt((await client.version()).minor, 10);
  passesWebSockets = minor >= 36;
  const { certificate: cert, privateKey: key } = new CertificateAuthority("kubelet").issueServer("node", ["127.0.0.1"]);
  kubelet = createServer({ cert, key }) as unknown as Server;
  kubelet.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  serveExec(kubelet, ({ request, query, stdin, stdout, stderr, exit }) => {
    const [program, ...rest] = query.getAll("command");
    if (program === "cat") {
      void stdin.then((bytes) => {
        stdout(bytes);
        exit(exitStatus.success);
      });
    } else if (program === "exit") {
      stderr("failing");
      exit(exitStatus.failed(Number(rest[0])));
    } else if (program === "missing") {
      exit(exitStatus.internal('exec: "missing": executable file not found in $PATH'));
    } else {
      stdout(`${request.url}`);
      exit(exitStatus.success);
    }
  });
  await new Promise<void>((resolve) => kubelet.listen(0, "127.0.0.1", resolve));
  const { port } = kubelet.address() as AddressInfo;
  await client.create(Node, { metadata: { name: "node" } });
  await client.patchStatus(Node, "node", {
    merge: {
      status: {
        addresses: [{ type: "InternalIP", address: "127.0.0.1" }],
        daemonEndpoints: { kubeletEndpoint: { Port: port } },
        declaredFeatures: ["ExtendWebSocketsToKubelet"],
      },
    },
  });
  const containers = [{ name: "web", image: "web:1" }];
  await client.create(Pod, { metadata: { name: "web-0" }, spec: { nodeName: "node", containers } });
  await client.create(Pod, { metadata: { name: "pending" }, spec: { containers } });
}, 60_000);

afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  kubelet?.close();
  await world?.stop();
});

test("commands reach the kubelet through a real kube-apiserver, and their output and exit code come back", async ({
  skip,
}) => {
  if (!passesWebSockets) skip(`Kubernetes 1.${minor} speaks SPDY to kubelets`);
  const { client } = world;
  const url = await client.exec(Pod, "web-0", { container: "web", command: ["print", "a b", "&c=d"] });
  expect(url.stdout).toMatch(/^\/exec\/default\/web-0\/web\?/);
  const sent = new URL(url.stdout, "https://kubelet").searchParams;
  expect(sent.getAll("command")).toEqual(["print", "a b", "&c=d"]);
  expect(await client.exec(Pod, "web-0", { command: ["exit", "7"] })).toEqual({
    exitCode: 7,
    stdout: "",
    stderr: "failing",
  });
  const stdin = "0123456789".repeat(30_000);
  expect((await client.exec(Pod, "web-0", { command: ["cat"], stdin })).stdout).toBe(stdin);
  await expect(client.exec(Pod, "web-0", { command: ["missing"] })).rejects.toThrow(/executable file not found/);
});

test("errors name the command, the Pod and the reason", async () => {
  const { client } = world;
  const failure = (name: string, container: string): Promise<unknown> =>
    client.exec(Pod, name, { container, command: ["ls"] }).catch((error: Error) => error);
  const missing = await failure("missing", "web");
  expect(isNotFound(missing) && missing.message).toBe(
    'Cannot run "ls" in Pod "default/missing": pods "missing" not found',
  );
  expect(await failure("web-0", "other")).toMatchObject({
    code: "API_BAD_REQUEST",
    message: 'Cannot run "ls" in Pod "default/web-0": container other is not valid for pod web-0',
  });
  expect(await failure("pending", "web")).toMatchObject({
    code: "API_BAD_REQUEST",
    message: 'Cannot run "ls" in Pod "default/pending": pod pending does not have a host assigned',
  });
});

test("a WebSocket needs the verb get, and create too from Kubernetes 1.35", async () => {
  const { client, plane } = world;
  const connection = await parseKubeconfig([{ file: "kubeconfig", text: kubeconfigText(plane, plane.restricted) }]);
  const transport = new HttpsTransport(connection, { clock: systemClock });
  try {
    const apiGroup = "rbac.authorization.k8s.io";
    const [roleRef, subjects] = [
      { apiGroup, kind: "Role", name: "exec" },
      [{ apiGroup, kind: "User", name: "restricted" }],
    ];
    await client.create(Role, { metadata: { name: "exec" }, rules: [] });
    await client.create(RoleBinding, { metadata: { name: "exec" }, roleRef, subjects });
    const outcomes: Record<string, string> = {};
    for (const verbs of [["create"], ["get"], ["create", "get"]]) {
      const rules = [{ apiGroups: [""], resources: ["pods/exec"], verbs }];
      await client.patch(Role, "exec", { merge: { rules } });
      // The Pod has no node: what is not forbidden fails for that.
      const attempt = async (): Promise<string> => {
        const asked = createClient(transport).exec(Pod, "pending", { command: ["ls"] });
        const error: unknown = await asked.catch((thrown: unknown) => thrown);
        if (!isForbidden(error)) return "allowed";
        return /cannot (\w+)/.exec(error.message)?.[1] ?? "forbidden without a reason";
      };
      // The authorizer sees a Role a moment later.
      let last = await attempt();
      for (let same = 0; same < 10; same++) {
        await new Promise((resolve) => setTimeout(resolve, 50));
        const now = await attempt();
        if (now !== last) same = 0;
        last = now;
      }
      outcomes[verbs.join(" ")] = last;
    }
    expect(outcomes).toEqual({
      create: "get",
      get: minor >= 35 ? "forbidden without a reason" : "allowed",
      "create get": "allowed",
    });
  } finally {
    await transport.close();
  }
});
