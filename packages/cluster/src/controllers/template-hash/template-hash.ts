import { canonicalJson } from "./canonical-json.js";

/** The alphabet of Kubernetes' `rand.SafeEncodeString`: no vowels, so that no words appear, and no characters that look alike. */
const alphabet = "bcdfghjklmnpqrstvwxz2456789";

/**
 * The hash of a pod template or of a revision's data, for names and labels such as `pod-template-hash`.
 *
 * Equal for semantically equal templates. It differs from the hash that kube-controller-manager computes. `collisions` counts how often the
 * name with the hash belonged to another object.
 */
export function templateHash(template: unknown, collisions = 0): string {
  // FNV-1a in 32 bits.
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(`${canonicalJson(template)}${collisions}`)) hash = Math.imul(hash ^ byte, 0x01000193);
  return Array.from(String(hash >>> 0), (digit) => alphabet.charAt(digit.charCodeAt(0) % alphabet.length)).join("");
}
