import { stringifyJson } from "@kubewright/core/json";

/** Number of sampled objects. */
const sampleSize = 50;

/** Estimates the size of the objects as JSON, from a sample spread evenly over all of them. */
export function approximateBytes(objects: Iterable<unknown>, count: number): number {
  const stride = Math.max(1, Math.floor(count / sampleSize));
  let index = 0;
  let measured = 0;
  let characters = 0;
  for (const object of objects) {
    if (index++ % stride !== 0) continue;
    try {
      characters += stringifyJson(object).length;
      measured += 1;
    } catch {
      // Too deep for JSON.stringify, or invalid: the estimate does without it.
    }
  }
  return measured === 0 ? 0 : Math.round((characters / measured) * count);
}
