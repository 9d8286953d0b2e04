import type { JsonValue } from "@kubewright/core/json";
import { fnv1of32, safeEncode } from "../template-hash/index.js";
import { goJson } from "./go-json.js";

/** The hash of a revision's data in its name, after so many collisions, equal to that of Kubernetes. */
export function revisionHash(data: unknown, collisions: number): string {
  return safeEncode(String(fnv1of32(Buffer.from(`${goJson(data as JsonValue)}${collisions}`))));
}
