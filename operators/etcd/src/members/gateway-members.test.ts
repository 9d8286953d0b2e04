import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import type { EtcdConnection } from "./etcd-members.js";
import { GatewayMembers } from "./gateway-members.js";

type Handler = (path: string, body: unknown, response: ServerResponse) => void;
const options = { signal: new AbortController().signal };

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return JSON.parse(text);
}

/** A member that responds as etcd's gateway does. The URL has the name of a Pod: only the address leads to the server. */
async function gateway(handler: Handler) {
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => handler(request.url ?? "", body, response));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const members = new GatewayMembers();
  const endpoint: EtcdConnection = { url: `http://shop-a.shop.default.svc:${port}`, address: "127.0.0.1" };
  return {
    members,
    endpoint,
    [Symbol.asyncDispose]: async () => {
      await members[Symbol.asyncDispose]();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const json = (response: ServerResponse, status: number, body: object): void => {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
};

test("64-bit numbers of a status are exact, and absent fields have the default of their type", async () => {
  const header = { member_id: "11417610130673999598", revision: "9223372036854775807" };
  await using world = await gateway((_, __, response) =>
    json(response, 200, { header, version: "3.6.8", dbSize: "20480" }),
  );
  expect(await world.members.status(world.endpoint, options)).toEqual({
    memberId: "11417610130673999598",
    version: "3.6.8",
    revision: 9223372036854775807n,
    leaderId: undefined,
    raftTerm: 0n,
    raftIndex: 0n,
    dbSize: 20_480,
    dbSizeInUse: 0,
    isLearner: false,
    errors: [],
  });
});

test("a member is added as a learner, by its peer URL", async () => {
  const requests: unknown[] = [];
  await using world = await gateway((path, body, response) => {
    requests.push([path, body]);
    json(response, 200, { member: { ID: "5", peerURLs: ["http://a:2380"], isLearner: true } });
  });
  const member = await world.members.addLearner(world.endpoint, "http://a:2380", options);
  expect(member).toEqual({ id: "5", name: "", peerURLs: ["http://a:2380"], clientURLs: [], isLearner: true });
  expect(requests).toEqual([["/v3/cluster/member/add", { peerURLs: ["http://a:2380"], isLearner: true }]]);
});

test.each([
  [400, "etcdserver: unhealthy cluster", "unhealthy"],
  [500, "etcdserver: re-configuration failed due to not enough started members", "notEnoughStarted"],
  [400, "etcdserver: can only promote a learner member which is in sync with leader", "learnerNotReady"],
  [400, "etcdserver: can only promote a learner member", "notLearner"],
  [400, "etcdserver: too many learner members in cluster", "tooManyLearners"],
  [404, "etcdserver: member not found", "memberNotFound"],
  [400, "etcdserver: member ID already exist", "memberExists"],
  [503, "etcdserver: request timed out", "unavailable"],
  [400, "etcdserver: something new", "other"],
])("HTTP %s with %j is the reason %s", async (status, message, reason) => {
  await using world = await gateway((_, __, response) => json(response, status, { code: 9, message, error: message }));
  await expect(world.members.promote(world.endpoint, "5", options)).rejects.toMatchObject({ reason });
});

test("a member that cannot be reached is unavailable, and an aborted call rejects with the reason of its signal", async () => {
  await using world = await gateway(() => {});
  const closed: EtcdConnection = { url: "http://127.0.0.1:1" };
  await expect(world.members.status(closed, options)).rejects.toMatchObject({ reason: "unavailable" });
  const abort = new AbortController();
  const call = world.members.status(world.endpoint, { signal: abort.signal });
  abort.abort(new Error("the operator stops"));
  await expect(call).rejects.toThrow("the operator stops");
});

test("a response that is no JSON object, or has no end, is rejected", async () => {
  await using world = await gateway((path, _, response) => {
    if (path.endsWith("status")) return void response.end("<html>");
    const part = Buffer.alloc(1_048_576, 32);
    for (let at = 0; at < 20; at++) response.write(part);
    response.end();
  });
  await expect(world.members.status(world.endpoint, options)).rejects.toThrow('returned no JSON object: "<html>"');
  await expect(world.members.alarms(world.endpoint, options)).rejects.toThrow("returned more than 16777216 bytes");
});

async function received(world: { members: GatewayMembers; endpoint: EtcdConnection }): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of world.members.snapshot(world.endpoint, options)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

test("a snapshot is streamed, and one that ends early is rejected", async () => {
  const content = Buffer.from("a".repeat(100_000));
  const digest = createHash("sha256").update(content).digest();
  let isComplete = true;
  const line = (blob: Buffer, remaining: number): string =>
    `${JSON.stringify({ result: { remaining_bytes: String(remaining), blob: blob.toString("base64") } })}\n`;
  await using world = await gateway((_, __, response) => {
    response.write(line(content.subarray(0, 60_000), 40_000));
    if (isComplete) response.write(line(content.subarray(60_000), 0) + line(digest, 0));
    response.end();
  });
  expect(await received(world)).toEqual(Buffer.concat([content, digest]));
  isComplete = false;
  await expect(received(world)).rejects.toThrow("ended before the snapshot was complete");
});

test("an error in the stream of a snapshot is the error of the call", async () => {
  await using world = await gateway(
    (_, __, response) =>
      void response.end(`${JSON.stringify({ error: { code: 14, message: "etcdserver: no leader" } })}\n`),
  );
  await expect(received(world)).rejects.toMatchObject({ reason: "unavailable" });
});
