import { OperatorError } from "@kubewright/core/errors";
import { setOwn } from "@kubewright/core/json";

/** The texts of the parts of one object that nobody has read yet, and the values of those that were read. */
type Parts = Map<string, { readonly text: string } | { readonly value: unknown }>;

/** Where an object keeps its parts. Not enumerable: no copy, comparison or text of the object shows it. */
const partsOf = Symbol("parts");
interface Lazy {
  readonly [partsOf]?: Parts;
}

/** Shorter parts are parsed at once: keeping them for later costs more. */
const shortest = 256;
/** Kinds have few fields at their top; an object with any number of them is parsed at once beyond this. */
const maxAccessors = 512;

const accessors = new Map<string, PropertyDescriptor>();

/**
 * Gives `object` a field whose value is parsed when it is first read; then it is an ordinary field. What is short is parsed at once.
 *
 * Throws a SyntaxError for a short text that is not JSON; a long one throws TRANSPORT_FAILED when it is read.
 */
export function setLazily(object: object, key: string, text: string): void {
  const accessor = text.length < shortest ? undefined : accessorOf(key);
  if (accessor === undefined) {
    setOwn(object as Record<string, unknown>, key, JSON.parse(text));
    return;
  }
  let parts = (object as Lazy)[partsOf];
  if (parts === undefined) {
    parts = new Map();
    Object.defineProperty(object, partsOf, { value: parts, configurable: true });
    Object.defineProperty(object, inspected, inspecting);
  }
  parts.set(key, { text });
  Object.defineProperty(object, key, accessor);
}

/** A copy of `object` that begins with `first`. What nobody has read of it stays so. */
export function withProperties<T extends object>(object: object, first: T): T {
  return (object as Lazy)[partsOf] === undefined
    ? { ...first, ...object }
    : Object.defineProperties(first, Object.getOwnPropertyDescriptors(object));
}

/** One pair of functions for each name of a field, so that objects of one kind share their shape. */
function accessorOf(key: string): PropertyDescriptor | undefined {
  const known = accessors.get(key);
  if (known !== undefined || accessors.size >= maxAccessors) return known;
  const made: PropertyDescriptor = {
    enumerable: true,
    configurable: true,
    get(this: object) {
      return read(this, key);
    },
    set(this: object, value: unknown) {
      settle(this, key, value);
    },
  };
  accessors.set(key, made);
  return made;
}

function read(object: object, key: string): unknown {
  const part = (object as Lazy)[partsOf]?.get(key);
  if (part === undefined) return undefined;
  if ("value" in part) return part.value;
  const value = parse(object, key, part.text);
  settle(object, key, value);
  return value;
}

function parse(object: object, key: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    const { kind, metadata } = object as { readonly kind?: string; readonly metadata?: { readonly name?: string } };
    const what = `"${key}" of ${kind ?? "an object"} "${metadata?.name ?? ""}"`;
    throw new OperatorError("TRANSPORT_FAILED", `Cannot read ${what}: the server sent what is not JSON`, { cause });
  }
}

function settle(object: object, key: string, value: unknown): void {
  const parts = (object as Lazy)[partsOf];
  if (Object.isFrozen(object)) {
    parts?.set(key, { value });
    return;
  }
  parts?.delete(key);
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}

const inspected = Symbol.for("nodejs.util.inspect.custom");

/** Printing an object shows its values, as with any other. */
const inspecting: PropertyDescriptor = {
  configurable: true,
  value(this: object) {
    return { ...this };
  },
};
