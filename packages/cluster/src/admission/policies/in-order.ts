import type { Eventually } from "../../registry/index.js";

/** Calls a function for each item, one after the other; synchronously as long as nothing waits. */
export function inOrder<T>(items: readonly T[], call: (item: T) => Eventually<void>, from = 0): Eventually<void> {
  for (let index = from; index < items.length; index++) {
    const pending = call(items[index] as T);
    if (pending !== undefined) return pending.then(() => inOrder(items, call, index + 1));
  }
}
