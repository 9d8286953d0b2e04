import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { createClient } from "../client/index.js";
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

// The file of a thread: it begins when the thread does, and does nothing anywhere else.
if (parentPort !== null && isLeaseWorkerStart(workerData)) keepLease(parentPort, workerData);

/** Renews a lease over a connection of its own, until it is told to stop. */
function keepLease(port: MessagePort, { settings, connection, userAgent, memory }: LeaseWorkerStart): void {
  const say = (message: FromLeaseWorker): void => port.postMessage(message);
  const { name, namespace, identity, timing, maxSilenceMs } = settings;
  const hold = new SharedHold(memory);
  const clock = hrtimeClock;
  // Few repetitions inside a request: the loop has its own pace.
  const transport = new HttpsTransport(connection, { clock, userAgent, maxRetries: 1 });
  const loop = new LeaseLoop({
    client: createClient(transport, { userAgent }),
    clock,
    random: Math.random,
    name,
    namespace,
    identity,
    timing,
    hold,
    logger: new MessageLogger(say, {}),
    onAcquired: () => say({ kind: "acquired" }),
    isAlive: () => clock.monotonic() - hold.signMs <= maxSilenceMs,
  });
  const stop = new AbortController();
  const ended = loop.run(stop.signal).then((end) => {
    if (end.kind === "lost") say(end);
  });
  port.once("message", async ({ kind }: ToLeaseWorker) => {
    stop.abort(new Error("The election ends"));
    await ended;
    if (kind === "release") await loop.release();
    await transport.close();
    say({ kind: "ended" });
    port.close();
  });
}
