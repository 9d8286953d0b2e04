import { parseJson, setOwn } from "@kubewright/core/json";
import { withoutManagedFields } from "@kubewright/core/meta";
import { decodeObject } from "./decode-object.js";
import { visitMembers } from "./members.js";
import { parseFallback } from "./parse-fallback.js";
import { closeList, comma, NotScannable, openList, Scanner } from "./scan.js";

/**
 * Decodes a list. Its items have no managedFields, and their large fields are parsed on first read. A value that is not a list is parsed unchanged.
 * Throws a SyntaxError for invalid JSON.
 */
export function decodeList(bytes: Buffer): unknown {
  return parseFallback(
    () => scanList(bytes),
    bytes,
    (list) => {
      const { items } = list as { items?: unknown };
      return Array.isArray(items) ? { ...list, items: items.map(strip) } : list;
    },
  );
}

function strip(item: unknown): unknown {
  return typeof item === "object" && item !== null ? withoutManagedFields(item) : item;
}

function scanList(bytes: Buffer): unknown {
  const scanner = new Scanner(bytes);
  const list: Record<string, unknown> = {};
  visitMembers(scanner, 0, (key, valueAt) => {
    if (key === "items" && bytes[valueAt] === openList) {
      const items: object[] = [];
      list["items"] = items;
      return scanItems(scanner, valueAt, items);
    }
    const end = scanner.value(valueAt);
    setOwn(list, key, parseJson(bytes.toString("utf8", valueAt, end)));
    return end;
  });
  return list;
}

function scanItems(scanner: Scanner, at: number, items: object[]): number {
  const { bytes } = scanner;
  if (bytes[at + 1] === closeList) return at + 2;
  for (let index = at + 1; ; index++) {
    const { object, end } = decodeObject(scanner, index);
    items.push(object);
    index = end;
    if (bytes[index] === closeList) return index + 1;
    if (bytes[index] !== comma) throw new NotScannable();
  }
}
