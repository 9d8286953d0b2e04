import { isJsonObject, stringifyJson } from "@kubewright/core/json";
import type { Seen } from "./normalise.js";

/** One path at which a server differs from the recording. */
export interface Difference {
  /** Step and path: `2 status`, `1 headers.warning[0]`, `3 body.metadata.generation`. Steps count from 1. */
  readonly at: string;
  readonly recorded: unknown;
  readonly given: unknown;
}

/** The paths at which the given responses differ from the recorded ones; empty if they are equal. */
export function differences(recorded: readonly Seen[], given: readonly Seen[]): Difference[] {
  const found: Difference[] = [];
  for (let index = 0; index < Math.max(recorded.length, given.length); index++) {
    const a: Seen = recorded[index] ?? {};
    const b: Seen = given[index] ?? {};
    const step = String(index + 1);
    // Responses with different statuses differ in everything: report one difference.
    if (a["status"] !== b["status"]) found.push({ at: step, recorded: a, given: b });
    else
      for (const key of new Set([...Object.keys(a), ...Object.keys(b)]))
        descend(`${step} ${key}`, a[key], b[key], found);
  }
  return found;
}

/** Whether a path is at or below another, in which `[*]` matches any list index. */
export function isAt(place: string, above: string): boolean {
  if (above.includes("[*]")) {
    const indexes = [...place.matchAll(/\[\d+\]/g)].map(([index]) => index);
    const given = [...above.matchAll(/\[(?:\*|\d+)\]/g)].map(([index]) => index);
    const filled = given.map((index, order) => (index === "[*]" ? (indexes[order] ?? "[]") : index));
    return isAt(
      place,
      above.replaceAll(/\[(?:\*|\d+)\]/g, () => filled.shift() ?? ""),
    );
  }
  if (!place.startsWith(above)) return false;
  const next = place[above.length];
  return next === undefined || next === "." || next === "[" || next === " ";
}

/** Formats a difference for a test failure. */
export function describeDifference({ at, recorded, given }: Difference): string {
  return `  ${at}\n    recorded: ${short(recorded)}\n    given:    ${short(given)}`;
}

/** Adds each path at or below `at` at which two JSON values differ. */
export function descend(at: string, a: unknown, b: unknown, found: Difference[]): void {
  if (Object.is(a, b)) return;
  if (Array.isArray(a) && Array.isArray(b) && a.length === b.length) {
    for (const [index, item] of a.entries()) descend(`${at}[${index}]`, item, b[index], found);
  } else if (isJsonObject(a) && isJsonObject(b)) {
    const own = (object: object, key: string): unknown => Object.getOwnPropertyDescriptor(object, key)?.value;
    for (const key of new Set([...Object.keys(a), ...Object.keys(b)]))
      descend(`${at}.${key}`, own(a, key), own(b, key), found);
  } else found.push({ at, recorded: a, given: b });
}

/** A value as JSON, truncated to a readable length. */
export function short(value: unknown, length = 1_500): string {
  const text = stringifyJson(value) ?? "nothing";
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
