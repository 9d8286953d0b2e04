import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Clock, Timer } from "@kubewright/core/clock";

/** How often it checks whether the initial work is done. */
const lookEveryMs = 5_000;
/** It gives up after so many checks. */
const maxLooks = 12;
/** A smaller heap holds too little garbage to be worth a collection. */
const smallHeapBytes = 32 * 2 ** 20;

/**
 * Collects garbage once, when the initial work is done.
 *
 * Filling the caches and the first run of every object leave as much garbage as there are objects. V8 collects it when it needs room, which an idle
 * operator never does: the process would keep twice the memory for days. Dispose the result when the operator stops before.
 */
export function trimMemory(clock: Clock, isBusy: () => boolean, collect: () => void = collectGarbage): Disposable {
  let timer: Timer | undefined;
  const lookAgain = (looks: number): void => {
    timer = clock.startTimer(lookEveryMs, () => {
      timer = undefined;
      if (looks < maxLooks && isBusy()) lookAgain(looks + 1);
      else collect();
    });
  };
  lookAgain(1);
  return { [Symbol.dispose]: () => timer?.cancel() };
}

/** In small steps, beside other work, and only where it is worth it. Node has no function for it unless it is started with a flag, which a program can set for itself too. */
function collectGarbage(): void {
  if (getHeapStatistics().total_heap_size < smallHeapBytes) return;
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  setFlagsFromString("--no-expose-gc");
  if (typeof collect === "function") collect({ type: "major", execution: "async" });
}
