/** Prints the time of adding, taking, forgetting and finishing one key in Kubewright's queue, in nanoseconds, as `controller-runtime/queue.go` does. */
import { systemClock } from "@kubewright/core/clock";
import { WorkQueue } from "../../packages/kubewright/src/queue/index.js";

const keys = Array.from({ length: 10_000 }, (_, index) => `default/widget-${index}`);
const queue = new WorkQueue<number>({ clock: systemClock, priorityOf: (cause) => cause });
let bestNs = Number.POSITIVE_INFINITY;
for (let round = 0; round < 10; round++) {
  const startedMs = performance.now();
  for (const key of keys) queue.add(key, 0);
  for (let taken = 0; taken < keys.length; taken++) {
    const entry = await queue.take();
    if (entry === undefined) throw new Error("The queue was shut down");
    queue.forget(entry.key);
    queue.done(entry.key);
  }
  bestNs = Math.min(bestNs, ((performance.now() - startedMs) * 1e6) / keys.length);
}
console.log(JSON.stringify({ event: "queue", priorityNs: bestNs }));
