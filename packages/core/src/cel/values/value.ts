import type { CelType } from "../types/type-shape.js";
import { work } from "./work.js";

/**
 * A value of CEL. Ints are JavaScript numbers as long as those are exact, and bigints beyond; doubles are wrapped, so that the two never mix.
 * Strings, booleans, null and bytes are JavaScript's own.
 */
export type CelValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | DoubleValue
  | UintValue
  | ListValue
  | MapValue
  | TimestampValue
  | DurationValue
  | OptionalValue
  | TypeValue
  | OpaqueValue;

/** A double. */
export class DoubleValue {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

/** A uint. */
export class UintValue {
  /** From 0 to 2^64 - 1. */
  readonly value: bigint;

  constructor(value: bigint) {
    this.value = value;
  }
}

/** A list whose elements are values already. Lists of objects convert each element when it is read. */
export class ListValue {
  readonly items: readonly CelValue[];

  constructor(items: readonly CelValue[]) {
    this.items = items;
  }

  get length(): number {
    return this.items.length;
  }

  /** The element at an index that exists. */
  at(index: number): CelValue {
    return this.items[index] as CelValue;
  }

  /** Equality that belongs to the kind of list, as that of sets; undefined for element by element. */
  equals(_other: ListValue): boolean | undefined {
    return undefined;
  }

  /** This list and the elements of another. */
  concat(other: ListValue): ListValue {
    return new ListValue(elementsOf(this).concat(elementsOf(other)));
  }
}

/** The elements as values. */
export function elementsOf(list: ListValue): CelValue[] {
  work(list.length * 10);
  const elements: CelValue[] = new Array(list.length);
  for (let index = 0; index < elements.length; index++) elements[index] = list.at(index);
  return elements;
}

/** A map, or an object with fields. */
export abstract class MapValue {
  abstract readonly size: number;

  /** The type of an object that an expression made of fields; undefined for maps. */
  get type(): CelType | undefined {
    return undefined;
  }

  /** The value of a key or field, or undefined. */
  abstract get(key: CelValue): CelValue | undefined;

  abstract keys(): CelValue[];

  /** Whether what no key shows differs from that of another map of the same size. */
  hidesOtherThan(_other: MapValue): boolean {
    return false;
  }
}

/** Nanoseconds since 1970 in two parts. */
export class TimestampValue {
  readonly seconds: number;
  /** From 0 to 999,999,999. */
  readonly nanos: number;
  /** How far the zone that it was written with is ahead of UTC; it prints in that zone. */
  readonly offsetMinutes: number;

  constructor(seconds: number, nanos: number, offsetMinutes = 0) {
    this.seconds = seconds;
    this.nanos = nanos;
    this.offsetMinutes = offsetMinutes;
  }
}

/** A duration. */
export class DurationValue {
  /** In the range of an int64. */
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

/** An optional: a value, or none. */
export class OptionalValue {
  static readonly none = new OptionalValue(undefined);

  readonly value: CelValue | undefined;

  constructor(value: CelValue | undefined) {
    this.value = value;
  }
}

/** A type as a value: what `type(x)` returns and what the name of a type means. */
export class TypeValue {
  readonly type: CelType;

  constructor(type: CelType) {
    this.type = type;
  }
}

/** A value of a library's own type, such as a quantity. */
export abstract class OpaqueValue {
  abstract readonly type: CelType;

  abstract equals(other: OpaqueValue): boolean;

  /** What `size()` would be, for cost. */
  get costSize(): number {
    return 1;
  }

  /** The work of any function that reads the value. @default none */
  readonly bulk?: number;
}
