import type { IntValue } from "../values/number.js";
import type {
  CelValue,
  DoubleValue,
  DurationValue,
  ListValue,
  MapValue,
  OpaqueValue,
  OptionalValue,
  TimestampValue,
  TypeValue,
  UintValue,
} from "../values/value.js";
import type { CelType, TypeKind } from "./type-shape.js";

export type { CelType, TypeKind } from "./type-shape.js";

/** A type together with what its values are in TypeScript, so that functions can be declared with their real parameters. */
export type TypeOf<T extends CelValue> = CelType & { readonly valuesAre?: T };

function simple<T extends CelValue>(kind: TypeKind, name: string = kind): TypeOf<T> {
  return { kind, name, params: [] };
}

/** The type `bool`. */
export const boolType = simple<boolean>("bool");
/** The type `bytes`. */
export const bytesType: TypeOf<Uint8Array> = simple("bytes");
/** The type `double`. */
export const doubleType = simple<DoubleValue>("double");
/** The type `duration`. */
export const durationType = simple<DurationValue>("duration", "google.protobuf.Duration");
/** The type `dyn`. */
export const dynType = simple<CelValue>("dyn");
export const errorType = simple<CelValue>("error", "!error!");
/** The type `int`. */
export const intType = simple<IntValue>("int");
/** The type `null`. */
export const nullType = simple<null>("null", "null_type");
/** The type `string`. */
export const stringType = simple<string>("string");
/** The type `timestamp`. */
export const timestampType = simple<TimestampValue>("timestamp", "google.protobuf.Timestamp");
export const typeType = simple<TypeValue>("type");
/** The type `uint`. */
export const uintType = simple<UintValue>("uint");

/** The type of lists of these elements. */
export function listType(element: CelType): TypeOf<ListValue> {
  return { kind: "list", name: "list", params: [element] };
}

/** The type of maps with these keys and values. */
export function mapType(key: CelType, value: CelType): TypeOf<MapValue> {
  return { kind: "map", name: "map", params: [key, value] };
}

/** The type of optionals of this type. */
export function optionalType(value: CelType): TypeOf<OptionalValue> {
  return { kind: "opaque", name: "optional_type", params: [value] };
}

export function opaqueType<T extends OpaqueValue>(name: string): TypeOf<T> {
  return simple("opaque", name);
}

/** An object with named fields, which the environment knows by the name; libraries use it for their own values. */
export function structType<T extends CelValue>(name: string): TypeOf<T> {
  return simple("struct", name);
}

export function paramType(name: string): TypeOf<CelValue> {
  return simple("param", name);
}

/** The type of a type value. */
export function typeOfType(type: CelType): CelType {
  return { kind: "type", name: "type", params: [type] };
}

export function isDyn(type: CelType): boolean {
  return type.kind === "dyn";
}

export function isDynOrError(type: CelType): boolean {
  return type.kind === "dyn" || type.kind === "error";
}

/** What an optional holds, or undefined for any other type. */
export function optionalParam(type: CelType): CelType | undefined {
  return type.kind === "opaque" && type.name === "optional_type" ? type.params[0] : undefined;
}

export function sameType(left: CelType, right: CelType): boolean {
  if (left === right) return true;
  return (
    left.kind === right.kind &&
    left.name === right.name &&
    left.params.length === right.params.length &&
    left.params.every((param, index) => sameType(param, right.params[index] as CelType))
  );
}

/** A type as messages show it: `list(int)`, `map(string, dyn)`. */
export function formatType(type: CelType): string {
  switch (type.kind) {
    case "duration":
    case "timestamp":
    case "null":
      return type.kind;
    default: {
      const params = type.params.map(formatType).join(", ");
      return params === "" ? type.name : `${type.name}(${params})`;
    }
  }
}

/** What a function takes, as messages show it: `(int, string)`, or `string.(int)` for one called on a value. */
export function formatSignature(args: readonly CelType[], isMember: boolean): string {
  const names = args.map(formatType);
  return isMember ? `${names[0] ?? ""}.(${names.slice(1).join(", ")})` : `(${names.join(", ")})`;
}
