import { createHash } from "node:crypto";
import { deepEqual, type JsonValue } from "@kubewright/core/json";

/** A longer string is remembered by its hash. */
const maxLength = 64;
/** A list or an object with more members, at any depth, is not remembered. */
const maxMembers = 100;

/** What is kept of a value, to recognise it: a few kilobytes at most, however large it is. */
export type RememberedValue = JsonValue | undefined;

/** Undefined for a value with too many members. */
export function remembered(value: JsonValue): RememberedValue {
  const left = { members: maxMembers };
  const kept = shortened(value, left);
  return left.members < 0 ? undefined : kept;
}

/** Whether the values may be equal: false only where they differ for certain. */
export function mayEqual(value: RememberedValue, other: RememberedValue): boolean {
  return value === undefined || other === undefined || deepEqual(value, other);
}

/** Recursion ends with the number of members. */
function shortened(value: JsonValue, left: { members: number }): JsonValue {
  if (typeof value === "string") return value.length <= maxLength ? value : hashOf(value);
  if (typeof value !== "object" || value === null) return value;
  const fields: [string, JsonValue][] = [];
  for (const [name, field] of Object.entries(value)) {
    left.members -= 1;
    if (left.members < 0) return null;
    fields.push([name.length <= maxLength ? name : hashOf(name), shortened(field, left)]);
  }
  return Array.isArray(value) ? fields.map(([, field]) => field) : Object.fromEntries(fields);
}

function hashOf(text: string): string {
  return `sha256:${createHash("sha256").update(text).digest("base64")}`;
}
