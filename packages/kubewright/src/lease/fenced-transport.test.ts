import { getEventListeners } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Clock, systemClock } from "@kubewright/core/clock";
import type { Transport, TransportRequest } from "@kubewright/core/transport";
import { expect, test } from "vitest";
import { serveExec } from "../../test/exec-server.js";
import { HttpsTransport } from "../transport/index.js";
import { FencedTransport } from "./index.js";
import { Leadership } from "./leadership.js";
import { LocalHold } from "./lease-hold.js";

const ok = { status: 200, headers: {}, body: {} };
const request = { method: "PATCH", path: "/api/v1/namespaces/default/configmaps/one" } as const;

/** A leader until 10,000, on a thread whose timers fire late. */
function leader() {
  let nowMs = 0;
  const clock: Clock = { now: () => 0, monotonic: () => nowMs, startTimer: () => ({ cancel() {} }) };
  const hold = new LocalHold();
  const leadership = new Leadership({ hold, clock, lease: "default/test" });
  const lead = (): void => {
    hold.extend(10_000);
    leadership.markAcquired();
  };
  const setTime = (ms: number): void => {
    nowMs = ms;
  };
  return { leadership, hold, lead, setTime };
}

function transport(send: (request: TransportRequest) => Promise<typeof ok>): Transport {
  const stream = async (sent: TransportRequest) => ({ kind: "answer" as const, response: await send(sent) });
  return { send, stream, close: async () => {} };
}

test("requests are sent while the process is the leader, and neither before nor after", async () => {
  const { leadership, lead, setTime } = leader();
  const sent: TransportRequest[] = [];
  const fence = new FencedTransport(
    transport(async (one) => {
      sent.push(one);
      return ok;
    }),
    leadership,
  );
  await expect(fence.send(request)).rejects.toThrow("is not the leader yet");
  lead();
  setTime(9_999.999);
  expect(await fence.send(request)).toBe(ok);
  expect(await fence.stream(request)).toEqual({ kind: "answer", response: ok });
  setTime(10_000);
  await expect(fence.send(request)).rejects.toThrow("the lease is lost");
  await expect(fence.stream(request)).rejects.toThrow("the lease is lost");
  expect(sent).toHaveLength(2);
});

test("a request that waited inside the transport is not sent after the deadline, even if the timer is late", async () => {
  for (const how of ["aborted", "throwIfAborted"] as const) {
    const { leadership, lead, setTime } = leader();
    lead();
    const asked: boolean[] = [];
    const inner = transport(async ({ signal }) => {
      asked.push(signal?.aborted ?? true);
      setTime(10_000);
      if (how === "throwIfAborted") signal?.throwIfAborted();
      else if (signal?.aborted) throw signal.reason;
      asked.push(false);
      return ok;
    });
    await expect(new FencedTransport(inner, leadership).send(request)).rejects.toBe(leadership.lost.reason);
    expect(leadership.lost.aborted).toBe(true);
    expect(asked).toEqual([false]);
  }
});

test("the request's own signal still aborts it, and a lost lease aborts requests in flight", async () => {
  const { leadership, lead } = leader();
  lead();
  const inner = transport(
    ({ signal }) => new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason))),
  );
  const fence = new FencedTransport(inner, leadership);
  const own = new AbortController();
  const [first, second] = [fence.send({ ...request, signal: own.signal }), fence.send(request)];
  const reason = new Error("enough");
  own.abort(reason);
  await expect(first).rejects.toBe(reason);
  leadership.lose("it was taken");
  await expect(second).rejects.toThrow("the lease is lost: it was taken");
});

test("a released lease is not lost, and is never held again", async () => {
  const { leadership, hold, lead } = leader();
  lead();
  await leadership.acquired;
  leadership.resign();
  hold.extend(99_999);
  leadership.markAcquired();
  expect([leadership.leading, leadership.lost.aborted, hold.closed]).toEqual([false, false, true]);
  await expect(
    new FencedTransport(
      transport(async () => ok),
      leadership,
    ).send(request),
  ).rejects.toThrow("released");
});

test("a WebSocket is closed with the lease, and nothing is sent over it after the deadline", async () => {
  const { leadership, lead, setTime } = leader();
  lead();
  const server = createServer();
  const received: Buffer[] = [];
  serveExec(server, ({ socket }) => socket.on("data", (chunk: Buffer) => received.push(chunk)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const inner = new HttpsTransport(
    { server: `http://127.0.0.1:${port}`, credentials: { kind: "none" }, namespace: "default" },
    { clock: systemClock },
  );
  try {
    const fence = new FencedTransport(inner, leadership);
    const upgrade = { path: "/exec", query: [], protocols: ["v5.channel.k8s.io"] };
    const open = async () => {
      const connection = await fence.connect(upgrade);
      if (connection.kind === "answer") throw new Error("expected a WebSocket");
      return connection.socket;
    };
    const [first, second] = [await open(), await open()];
    await first.send(Buffer.from("in time"));
    setTime(10_000);
    const before = received.length;
    await expect(first.send(Buffer.from("too late"))).rejects.toThrow("the lease is lost");
    await first.closed;
    await second.closed;
    expect(received.length).toBeLessThanOrEqual(Math.max(before, 1));
    await expect(fence.connect(upgrade)).rejects.toThrow("the lease is lost");
    expect(getEventListeners(leadership.lost, "abort")).toHaveLength(0);
  } finally {
    await inner.close();
    server.close();
  }
});
