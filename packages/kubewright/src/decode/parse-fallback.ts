import { parseJson } from "@kubewright/core/json";
import { NotScannable } from "./scan.js";

/**
 * Returns the result of `scan`. If it fails, parses all bytes, and `strip` removes what the scan would have skipped. Throws a SyntaxError for invalid
 * JSON.
 */
export function parseFallback(scan: () => unknown, bytes: Buffer, strip: (value: object) => unknown): unknown {
  try {
    return scan();
  } catch (error) {
    if (!(error instanceof NotScannable || error instanceof SyntaxError)) throw error;
    const value = parseJson(bytes.toString("utf8"));
    return typeof value === "object" && value !== null ? strip(value) : value;
  }
}
