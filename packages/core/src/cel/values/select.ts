import { EvalFailure } from "./eval-failure.js";
import { formatKey } from "./format-key.js";
import { typeOf } from "./type-of.js";
import { type CelValue, DoubleValue, ListValue, MapValue, OptionalValue, UintValue } from "./value.js";

/** `value.field` or `value[key]`. */
export function select(value: CelValue, key: CelValue): CelValue {
  if (value instanceof OptionalValue) return selectOptional(value, key);
  const found = find(value, key);
  if (found !== undefined) return found;
  throw new EvalFailure(
    value instanceof ListValue ? `index out of bounds: ${formatKey(key)}` : `no such key: ${formatKey(key)}`,
  );
}

/** `value.?field` or `value[?key]`; also `optional.field`. */
export function selectOptional(value: CelValue, key: CelValue): OptionalValue {
  const inner = value instanceof OptionalValue ? value.value : value;
  const found = inner === undefined ? undefined : find(inner, key);
  if (found === undefined) return OptionalValue.none;
  return found instanceof OptionalValue && value instanceof OptionalValue ? found : new OptionalValue(found);
}

/** `has(value.field)`. */
export function has(value: CelValue, field: string): boolean {
  const inner = value instanceof OptionalValue ? value.value : value;
  return inner !== undefined && find(inner, field) !== undefined;
}

function find(value: CelValue, key: CelValue): CelValue | undefined {
  if (value instanceof MapValue) return value.get(key);
  if (!(value instanceof ListValue)) return undefined;
  const index = indexOf(key);
  return index >= 0 && index < value.length ? value.at(index) : undefined;
}

/** An index into a list; numbers of all types may be one. */
function indexOf(key: CelValue): number {
  if (typeof key === "number") return key;
  if (typeof key === "bigint") return -1;
  if (key instanceof UintValue) return key.value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(key.value) : -1;
  if (key instanceof DoubleValue && Number.isSafeInteger(key.value)) return key.value;
  throw new EvalFailure(`unsupported index type '${typeOf(key).name}' in list`);
}
