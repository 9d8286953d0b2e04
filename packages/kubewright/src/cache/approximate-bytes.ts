import { stringifyJson } from "@kubewright/core/json";

/** How many objects are measured. */
const sampleSize = 50;

/** About how many bytes these objects take as JSON: some, spread evenly over all, are measured for the rest. */
export function approximateBytes(objects: Iterable<unknown>, count: number): number {
  const stride = Math.max(1, Math.floor(count / sampleSize));
  let index = 0;
  let measured = 0;
  let characters = 0;
  for (const object of objects) {
    if (index++ % stride !== 0) continue;
    measured += 1;
    characters += stringifyJson(object).length;
  }
  return measured === 0 ? 0 : Math.round((characters / measured) * count);
}
