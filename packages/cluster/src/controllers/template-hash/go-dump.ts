import { isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";
import { dumpQuantity } from "./go-quantity.js";
import { goType } from "./template-types.js";

/**
 * A value as Go prints it for hashing: every field with its Go name and type, in the order of the struct, keys of maps sorted.
 *
 * The value is JSON as a server gives it. Empty lists and maps print as those that are not there, since they do not survive the way
 * to a Go controller. A time prints as none: the form of one that is set depends on the machine's time zone.
 */
export function dumpGoValue(type: string, value: JsonValue | undefined): string {
  return `(${type})${inside(type, value ?? undefined)}`;
}

/** What stands after the type. */
function inside(type: string, value: JsonValue | undefined): string {
  if (type.startsWith("*")) return value === undefined ? "<nil>" : inside(type.slice(1), value);
  if (type.startsWith("[]")) return list(type.slice(2), value);
  if (type.startsWith("map[")) return map(type, value);
  const special = byHand.get(type);
  if (special !== undefined) return special(value);
  const named = goType(type);
  if (named === undefined) throw new TypeError(`Cannot print a value for hashing: the Go type "${type}" is unknown`);
  if ("like" in named) return inside(named.like, value);
  const object = isJsonObject(value) ? value : empty;
  const fields = named.fields.map(
    ({ name, json, type: of }) => `${name}:${dumpGoValue(of, json === undefined ? object : own(object, json))}`,
  );
  return `{${fields.join(" ")}}`;
}

const empty: JsonObject = {};

const number = (value: JsonValue | undefined): string => String(value ?? 0);

const byHand: ReadonlyMap<string, (value: JsonValue | undefined) => string> = new Map<
  string,
  (value: JsonValue | undefined) => string
>([
  ["string", (value) => String(value ?? "")],
  ["bool", (value) => String(value ?? false)],
  ["int32", number],
  ["int64", number],
  ["v1.Time", () => "{Time:(time.Time){wall:(uint64)0 ext:(int64)0 loc:(*time.Location)<nil>}}"],
  ["v1.FieldsV1", () => "{Raw:([]uint8)<nil>}"],
  ["resource.Quantity", (value) => dumpQuantity(value === undefined ? undefined : String(value))],
  [
    "intstr.IntOrString",
    (value) =>
      typeof value === "string"
        ? `{Type:(intstr.Type)1 IntVal:(int32)0 StrVal:(string)${value}}`
        : `{Type:(intstr.Type)0 IntVal:(int32)${value ?? 0} StrVal:(string)}`,
  ],
]);

function list(of: string, value: JsonValue | undefined): string {
  if (!Array.isArray(value) || value.length === 0) return "<nil>";
  return `[${value.map((item: JsonValue) => inside(of, item)).join(" ")}]`;
}

function map(type: string, value: JsonValue | undefined): string {
  if (!isJsonObject(value)) return "<nil>";
  const of = type.slice(type.indexOf("]") + 1);
  const keys = Object.keys(value).sort();
  if (keys.length === 0) return "<nil>";
  return `map[${keys.map((key) => `${key}:${inside(of, value[key])}`).join(" ")}]`;
}

function own(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? (object[key] ?? undefined) : undefined;
}
