import { deepEqual, isJsonObject, type JsonValue } from "@kubewright/core/json";

/** The paths below `path` at which two values differ, separated by commas. Lists of different length differ as a whole. */
export function changedPaths(before: JsonValue | undefined, after: JsonValue | undefined, path: string): string {
  return pathsOf(before, after, path).join(", ");
}

function pathsOf(before: JsonValue | undefined, after: JsonValue | undefined, path: string): string[] {
  if (deepEqual(before, after)) return [];
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length)
    return before.flatMap((item: JsonValue, index) => pathsOf(item, after[index], `${path}[${index}]`));
  if (!isJsonObject(before) || !isJsonObject(after)) return [path];
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => pathsOf(before[key], after[key], `${path}.${key}`));
}
