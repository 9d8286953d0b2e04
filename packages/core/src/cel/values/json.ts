import { getOwn, isJsonObject, type JsonObject, type JsonValue } from "../../json/index.js";
import { double, intFromBigInt } from "./number.js";
import { type CelValue, ListValue, MapValue } from "./value.js";
import { work } from "./work.js";

/** JSON without a schema. Whole numbers are ints. */
export function celValue(value: JsonValue): CelValue {
  if (typeof value === "number") return numberValue(value);
  if (typeof value !== "object" || value === null) return value;
  return isJsonObject(value) ? new JsonMap(value) : new JsonList(value);
}

function numberValue(value: number): CelValue {
  if (Number.isSafeInteger(value)) return value + 0;
  return Number.isInteger(value) && Math.abs(value) < 2 ** 63 ? intFromBigInt(BigInt(value)) : double(value);
}

class JsonList extends ListValue {
  readonly #raw: readonly JsonValue[];

  constructor(raw: readonly JsonValue[]) {
    super([]);
    this.#raw = raw;
  }

  override get length(): number {
    return this.#raw.length;
  }

  override at(index: number): CelValue {
    return celValue(this.#raw[index] ?? null);
  }
}

/** The keys of an object, which is not free: JavaScript makes a new array of them. */
export function keysOf(raw: JsonObject): string[] {
  const keys = Object.keys(raw);
  work(keys.length * 10);
  return keys;
}

class JsonMap extends MapValue {
  readonly #raw: JsonObject;

  constructor(raw: JsonObject) {
    super();
    this.#raw = raw;
  }

  get size(): number {
    return keysOf(this.#raw).length;
  }

  get(key: CelValue): CelValue | undefined {
    const value = typeof key === "string" ? getOwn(this.#raw, key) : undefined;
    return value === undefined ? undefined : celValue(value);
  }

  keys(): CelValue[] {
    return keysOf(this.#raw);
  }
}
