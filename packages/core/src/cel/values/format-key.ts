import { formatDouble } from "./number.js";
import { type CelValue, DoubleValue, UintValue } from "./value.js";

/** A key or index as messages show it. */
export function formatKey(key: CelValue): string {
  if (key instanceof DoubleValue) return formatDouble(key.value);
  if (key instanceof UintValue) return String(key.value);
  return String(key);
}
