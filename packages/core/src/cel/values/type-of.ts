import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  nullType,
  optionalType,
  stringType,
  timestampType,
  typeType,
  uintType,
} from "../types/cel-type.js";
import {
  type CelValue,
  DoubleValue,
  DurationValue,
  ListValue,
  MapValue,
  OpaqueValue,
  OptionalValue,
  TimestampValue,
  UintValue,
} from "./value.js";

const anyList = listType(dynType);
const anyMap = mapType(dynType, dynType);
const anyOptional = optionalType(dynType);

/** The type of a value, without that of elements. */
export function typeOf(value: CelValue): CelType {
  switch (typeof value) {
    case "number":
    case "bigint":
      return intType;
    case "string":
      return stringType;
    case "boolean":
      return boolType;
  }
  if (value === null) return nullType;
  if (value instanceof ListValue) return anyList;
  if (value instanceof MapValue) return value.type ?? anyMap;
  if (value instanceof DoubleValue) return doubleType;
  if (value instanceof OptionalValue) return anyOptional;
  if (value instanceof UintValue) return uintType;
  if (value instanceof Uint8Array) return bytesType;
  if (value instanceof TimestampValue) return timestampType;
  if (value instanceof DurationValue) return durationType;
  if (value instanceof OpaqueValue) return value.type;
  return typeType;
}
