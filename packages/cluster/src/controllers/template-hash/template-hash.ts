import type { JsonValue } from "@kubewright/core/json";
import { fnv1a32 } from "./fnv.js";
import { dumpGoValue } from "./go-dump.js";
import { safeEncode } from "./safe-encode.js";

/**
 * The value of the label `pod-template-hash` for a pod template, equal to that of Kubernetes of the version that the data is of.
 *
 * `collisions` is how often the name that the hash leads to was taken by something else; undefined and 0 differ, as they do in
 * Kubernetes.
 */
export function templateHash(template: unknown, collisions?: number): string {
  const text = Buffer.from(dumpGoValue("v1.PodTemplateSpec", template as JsonValue));
  if (collisions === undefined) return safeEncode(String(fnv1a32(text)));
  const count = Buffer.alloc(8);
  count.writeUInt32LE(collisions);
  return safeEncode(String(fnv1a32(Buffer.concat([text, count]))));
}
