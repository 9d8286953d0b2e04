import { withoutManagedFields } from "@kubewright/core/meta";
import { decodeObject } from "./decode-object.js";
import { textOf, visitMembers } from "./members.js";
import { parseFallback } from "./parse-fallback.js";
import { quote, Scanner } from "./scan.js";

/**
 * Decodes one watch event. Its object has no managedFields, and its large fields are parsed on first read. Throws a SyntaxError for invalid JSON.
 */
export function decodeEvent(bytes: Buffer): unknown {
  return parseFallback(
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
    // A watch event has no other fields.
    if (key === "type") event.type = bytes[valueAt] === quote ? textOf(bytes, valueAt, end) : undefined;
    return end;
  });
  return event;
}
