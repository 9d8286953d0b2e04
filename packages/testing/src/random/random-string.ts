import type { Schema } from "@kubewright/core/schema";
import { pick, type Random } from "./random.js";
import { samplePattern } from "./sample-pattern.js";

/** Valid strings per OpenAPI format; keys without dashes. */
const formatted: Readonly<Record<string, readonly string[]>> = {
  datetime: ["2026-01-01T00:00:00Z", "2026-02-03T04:05:06.7+01:00"],
  date: ["2026-01-01", "1999-12-31"],
  duration: ["30s", "1h5m", "2 days"],
  byte: ["YQ==", "aGVsbG8="],
  uri: ["https://example.com/a", "mailto:a@example.com"],
  email: ["a@example.com"],
  ipv4: ["10.0.0.1", "192.168.1.2"],
  ipv6: ["::1", "fe80::1"],
  cidr: ["10.0.0.0/8", "fd00::/64"],
  mac: ["00:11:22:33:44:55"],
  uuid: ["123e4567-e89b-42d3-a456-426614174000"],
  hostname: ["example.com", "a"],
  password: ["secret"],
};
const samples = ["a", "web", "shop-1", "example.com", "Ready", "10", "1Gi", "x y", "é"];

/** A random string that fits a schema; undefined when none is found for its pattern. */
export function randomString(
  { pattern, format, minLength = 0, maxLength }: Schema,
  random: Random,
): string | undefined {
  if (pattern !== undefined) {
    for (let attempt = 0; attempt < 8; attempt++) {
      const text = samplePattern(pattern, random);
      const length = [...(text ?? "")].length;
      if (text !== undefined && length >= minLength && length <= (maxLength ?? length)) return text;
    }
    return undefined;
  }
  const known = format === undefined ? undefined : formatted[format.replaceAll("-", "")];
  const text = pick(known ?? samples, random) ?? "";
  if (known !== undefined) return text;
  return [...text.padEnd(minLength, "abc")].slice(0, maxLength).join("");
}
