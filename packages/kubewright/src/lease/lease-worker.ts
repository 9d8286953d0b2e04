import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { createClient } from "../client/index.js";
import { MeteredTransport, type RequestCounter } from "../metrics/index.js";
import { HttpsTransport } from "../transport/index.js";
import { hrtimeClock } from "./hrtime-clock.js";
import { LeaseLoop } from "./lease-loop.js";
import {
  type FromLeaseWorker,
  isLeaseWorkerStart,
  type LeaseWorkerStart,
  type ToLeaseWorker,
} from "./lease-messages.js";
import { MessageLogger } from "./message-logger.js";
import { SharedHold } from "./shared-hold.js";

// The entry file of the renewal thread. It does nothing when imported anywhere else.
if (parentPort !== null && isLeaseWorkerStart(workerData)) renewLease(parentPort, workerData);

/** Renews a lease over its own connection, until the main thread posts a message. */
function renewLease(
  port: MessagePort,
  { settings, connection, userAgent, memory, countRequests }: LeaseWorkerStart,
): void {
  const post = (message: FromLeaseWorker): void => port.postMessage(message);
  const { name, namespace, identity, timing, maxSilenceMs } = settings;
  const hold = new SharedHold(memory);
  const clock = hrtimeClock;
  // Few retries inside a request: the loop retries itself.
  const transport = new HttpsTransport(connection, { clock, userAgent, maxRetries: 1 });
  const counter: RequestCounter = {
    requestEnded: (method, host, code, seconds) => post({ kind: "request", method, host, code, seconds }),
  };
  const counted = countRequests ? new MeteredTransport(transport, counter, { host: transport.host, clock }) : transport;
  const loop = new LeaseLoop({
    client: createClient(counted, { userAgent }),
    clock,
    random: Math.random,
    name,
    namespace,
    identity,
    timing,
    hold,
    logger: new MessageLogger(post, {}),
    onAcquired: () => post({ kind: "acquired" }),
    isAlive: () => clock.monotonic() - hold.heartbeatMs <= maxSilenceMs,
  });
  const stop = new AbortController();
  const ended = loop.run(stop.signal).then((end) => {
    if (end.kind === "lost") post(end);
  });
  port.once("message", async ({ kind }: ToLeaseWorker) => {
    stop.abort(new Error("The election is stopping"));
    await ended;
    if (kind === "release") await loop.release();
    await transport.close();
    post({ kind: "ended" });
    port.close();
  });
}
