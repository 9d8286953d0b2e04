import { parseJson } from "@kubewright/core/json";
import { NotScannable } from "./scan.js";

/**
 * What `scan` gives; where it cannot, all bytes are parsed, and `lean` takes off what the scan would have left out. Throws a SyntaxError for
 * what is not JSON.
 */
export function parseInstead(scan: () => unknown, bytes: Buffer, lean: (value: object) => unknown): unknown {
  try {
    return scan();
  } catch (error) {
    if (!(error instanceof NotScannable || error instanceof SyntaxError)) throw error;
    const value = parseJson(bytes.toString("utf8"));
    return typeof value === "object" && value !== null ? lean(value) : value;
  }
}
