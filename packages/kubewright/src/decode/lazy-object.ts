import { OperatorError } from "@kubewright/core/errors";
import { parseJson, setOwn } from "@kubewright/core/json";

/** A part of an object: its text, or once it was read its value. */
interface Part {
  readonly key: string;
  text: string | undefined;
  value: unknown;
}

/** Lets a class put its private fields on an object that is there already. */
class Given {
  constructor(object: object) {
    // biome-ignore lint/correctness/noConstructorReturn: what is constructed is the object that was given.
    return object;
  }
}

/**
 * The parts of an object that are not parsed yet, as a private field of that object: no copy, comparison or text of it shows them, freezing it does not
 * freeze them, and it costs a third of a hidden property.
 */
class Unread extends Given {
  readonly #parts: Part[];

  constructor(object: object, parts: Part[]) {
    super(object);
    this.#parts = parts;
  }

  /** The parts of `object`; undefined if it is an ordinary one. */
  static of(object: object): Part[] | undefined {
    return #parts in object ? (object as Unread).#parts : undefined;
  }
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
    setOwn(object as Record<string, unknown>, key, parseJson(text));
    return;
  }
  let parts = Unread.of(object);
  if (parts === undefined) {
    parts = [];
    new Unread(object, parts);
    Object.defineProperty(object, inspected, inspecting);
  }
  parts.push({ key, text, value: undefined });
  Object.defineProperty(object, key, accessor);
}

/** A copy of `object` that begins with `first`. What nobody has read of it stays so. */
export function withProperties<T extends object>(object: object, first: T): T {
  const parts = Unread.of(object);
  if (parts === undefined) return { ...first, ...object };
  new Unread(
    first,
    parts.map((part) => ({ ...part })),
  );
  return Object.defineProperties(first, Object.getOwnPropertyDescriptors(object));
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
  // Of a key that stands twice the last one counts.
  const part = Unread.of(object)?.findLast((one) => one.key === key);
  if (part?.text === undefined) return part?.value;
  const value = parse(object, key, part.text);
  settle(object, key, value);
  return value;
}

function parse(object: object, key: string, text: string): unknown {
  try {
    return parseJson(text);
  } catch (cause) {
    const { kind, metadata } = object as { readonly kind?: string; readonly metadata?: { readonly name?: string } };
    const what = `"${key}" of ${kind ?? "an object"} "${metadata?.name ?? ""}"`;
    throw new OperatorError("TRANSPORT_FAILED", `Cannot read ${what}: the server sent what is not JSON`, { cause });
  }
}

function settle(object: object, key: string, value: unknown): void {
  const isFrozen = Object.isFrozen(object);
  for (const part of Unread.of(object) ?? []) {
    if (part.key !== key) continue;
    part.text = undefined;
    part.value = isFrozen ? value : undefined;
  }
  if (!isFrozen) Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}

const inspected = Symbol.for("nodejs.util.inspect.custom");

/** Printing an object shows its values, as with any other. */
const inspecting: PropertyDescriptor = {
  configurable: true,
  value(this: object) {
    return { ...this };
  },
};
