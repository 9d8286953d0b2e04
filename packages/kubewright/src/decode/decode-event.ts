import { withoutManagedFields } from "@kubewright/core/meta";
import { decodeObject } from "./decode-object.js";
import { textOf, visitMembers } from "./members.js";
import { parseInstead } from "./parse-instead.js";
import { quote, Scanner } from "./scan.js";

/**
 * One event of a watch, its object without managed fields and with its large parts parsed when they are first read. Throws a SyntaxError for
 * what is not JSON.
 */
export function decodeEvent(bytes: Buffer): unknown {
  return parseInstead(
    () => scanEvent(bytes),
    bytes,
    (event) => {
      const { object } = event as { object?: unknown };
      return typeof object === "object" && object !== null ? { ...event, object: withoutManagedFields(object) } : event;
    },
  );
}

function scanEvent(bytes: Buffer): unknown {
  const scanner = new Scanner(bytes);
  const event: { type?: unknown; object?: unknown } = {};
  visitMembers(scanner, 0, (key, valueAt) => {
    if (key === "object") {
      const { object, end } = decodeObject(scanner, valueAt);
      event.object = object;
      return end;
    }
    const end = scanner.value(valueAt);
    // Beside these two an event has nothing.
    if (key === "type") event.type = bytes[valueAt] === quote ? textOf(bytes, valueAt, end) : undefined;
    return end;
  });
  return event;
}
