import { OperatorError } from "@kubewright/core/errors";
import { setOwn } from "@kubewright/core/json";

/** A lazily parsed field: its JSON, or its value after the first read. */
interface Part {
  readonly key: string;
  readonly parse: (text: string) => unknown;
  text: string | undefined;
  value: unknown;
}

/** Lets a subclass add private fields to an existing object. */
class ExistingObject {
  constructor(object: object) {
    // biome-ignore lint/correctness/noConstructorReturn: the constructor returns the existing object.
    return object;
  }
}

/**
 * The unparsed fields of an object, in a private field of that object: invisible to copies, comparisons and JSON.stringify, not frozen with the
 * object, and a third of the cost of a hidden property.
 */
class Unread extends ExistingObject {
  readonly #parts: Part[];

  constructor(object: object, parts: Part[]) {
    super(object);
    this.#parts = parts;
  }

  /** The lazy fields of `object`; undefined for an ordinary object. */
  static of(object: object): Part[] | undefined {
    return #parts in object ? (object as Unread).#parts : undefined;
  }
}

/** Shorter fields are parsed at once: deferring them costs more. */
const shortest = 256;
/** Kinds have few top-level fields; beyond this many distinct names, fields are parsed at once. */
const maxAccessors = 512;

const accessors = new Map<string, PropertyDescriptor>();

/**
 * Adds a field to `object` that `parse` parses on first read and is an ordinary field afterwards. Short JSON is parsed at once.
 *
 * Throws a SyntaxError for short invalid JSON; long invalid JSON throws TRANSPORT_FAILED on read.
 */
export function setLazily(object: object, key: string, text: string, parse: (text: string) => unknown): void {
  const accessor = text.length < shortest ? undefined : accessorOf(key);
  if (accessor === undefined) {
    setOwn(object as Record<string, unknown>, key, parse(text));
    return;
  }
  let parts = Unread.of(object);
  if (parts === undefined) {
    parts = [];
    new Unread(object, parts);
    Object.defineProperty(object, inspected, inspectDescriptor);
  }
  parts.push({ key, parse, text, value: undefined });
  Object.defineProperty(object, key, accessor);
}

/** Returns a copy of `object` whose first properties are those of `first`. Unread fields stay unparsed. */
export function withProperties<T extends object>(object: object, first: T): T {
  const parts = Unread.of(object);
  if (parts === undefined) return { ...first, ...object };
  new Unread(
    first,
    parts.map((part) => ({ ...part })),
  );
  return Object.defineProperties(first, Object.getOwnPropertyDescriptors(object));
}

/** One accessor per field name, so that objects of one kind share a hidden class. */
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
      setValue(this, key, value);
    },
  };
  accessors.set(key, made);
  return made;
}

function read(object: object, key: string): unknown {
  // The last of duplicate keys wins.
  const part = Unread.of(object)?.findLast((one) => one.key === key);
  if (part?.text === undefined) return part?.value;
  const value = parsed(object, part, part.text);
  setValue(object, key, value);
  return value;
}

function parsed(object: object, { key, parse }: Part, text: string): unknown {
  try {
    return parse(text);
  } catch (cause) {
    const { kind, metadata } = object as { readonly kind?: string; readonly metadata?: { readonly name?: string } };
    const what = `"${key}" of ${kind ?? "an object"} "${metadata?.name ?? ""}"`;
    throw new OperatorError("TRANSPORT_FAILED", `Cannot read ${what}: the server sent invalid JSON`, { cause });
  }
}

function setValue(object: object, key: string, value: unknown): void {
  const isFrozen = Object.isFrozen(object);
  for (const part of Unread.of(object) ?? []) {
    if (part.key !== key) continue;
    part.text = undefined;
    part.value = isFrozen ? value : undefined;
  }
  if (!isFrozen) Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}

const inspected = Symbol.for("nodejs.util.inspect.custom");

/** Makes `util.inspect` show the values of lazy fields. */
const inspectDescriptor: PropertyDescriptor = {
  configurable: true,
  value(this: object) {
    return { ...this };
  },
};
