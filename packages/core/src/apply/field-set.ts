import { OperatorError } from "../errors/index.js";
import { isJsonObject, type JsonObject, type JsonValue, setOwn } from "../json/index.js";
import { compareElements, fieldElement, type PathElement, parseElement, printElement } from "./path-element.js";

const parsed = new WeakMap<object, FieldSet>();

/** How deep a set of fields may be nested. */
const maxDepth = 1_000;

/**
 * A set of paths into an object: what one field manager owns. Never changes.
 *
 * A path in the set says nothing about paths above or below it: `spec` and `spec.replicas` are two members.
 */
export class FieldSet {
  readonly #members: ReadonlySet<PathElement>;
  readonly #children: ReadonlyMap<PathElement, FieldSet>;

  constructor(members: ReadonlySet<PathElement>, children: ReadonlyMap<PathElement, FieldSet>) {
    this.#members = members;
    this.#children = withoutEmpty(children);
  }

  /** The set without members. */
  static readonly empty: FieldSet = new FieldSet(new Set(), new Map());

  /** A set of paths of field names: `FieldSet.of(["status"], ["metadata", "name"])`. */
  static of(...paths: readonly (readonly string[])[]): FieldSet {
    const builder = new FieldSetBuilder();
    for (const path of paths) builder.add(path.map(fieldElement));
    return builder.build();
  }

  /** Reads `fieldsV1`. Throws an API_BAD_REQUEST error where it is malformed. */
  static parse(fields: unknown): FieldSet {
    // Stored objects are frozen and written many times: what their managers own is read once.
    if (!isJsonObject(fields) || !Object.isFrozen(fields)) return parse(fields, 0);
    const known = parsed.get(fields) ?? parse(fields, 0);
    parsed.set(fields, known);
    return known;
  }

  get isEmpty(): boolean {
    return this.#members.size === 0 && this.#children.size === 0;
  }

  /** Whether the one-step path is a member. */
  has(element: PathElement): boolean {
    return this.#members.has(element);
  }

  /** What lies below a step, as a set of the rest of the paths. */
  below(element: PathElement): FieldSet {
    return this.#children.get(element) ?? FieldSet.empty;
  }

  union(other: FieldSet): FieldSet {
    if (other.isEmpty) return this;
    if (this.isEmpty) return other;
    const children = new Map(this.#children);
    for (const [element, child] of other.#children) children.set(element, this.below(element).union(child));
    return new FieldSet(new Set([...this.#members, ...other.#members]), children);
  }

  intersection(other: FieldSet): FieldSet {
    if (this.isEmpty || other.isEmpty) return FieldSet.empty;
    const children = new Map<PathElement, FieldSet>();
    for (const [element, child] of this.#children) children.set(element, child.intersection(other.below(element)));
    return new FieldSet(new Set([...this.#members].filter((element) => other.has(element))), children);
  }

  /** The members that are not in `other`; what lies below members of `other` stays. */
  difference(other: FieldSet): FieldSet {
    if (this.isEmpty || other.isEmpty) return this;
    const children = new Map<PathElement, FieldSet>();
    for (const [element, child] of this.#children) children.set(element, child.difference(other.below(element)));
    return new FieldSet(new Set([...this.#members].filter((element) => !other.has(element))), children);
  }

  /** The members that are neither in `other` nor below one of its members. */
  outside(other: FieldSet): FieldSet {
    if (this.isEmpty || other.isEmpty) return this;
    const children = new Map<PathElement, FieldSet>();
    for (const [element, child] of this.#children) {
      if (!other.has(element)) children.set(element, child.outside(other.below(element)));
    }
    return new FieldSet(new Set([...this.#members].filter((element) => !other.has(element))), children);
  }

  equals(other: FieldSet): boolean {
    if (this.#members.size !== other.#members.size || this.#children.size !== other.#children.size) return false;
    for (const element of this.#members) if (!other.has(element)) return false;
    for (const [element, child] of this.#children) if (!child.equals(other.below(element))) return false;
    return true;
  }

  /** The same set with steps added at each level: `extra` is given the steps that have something below them. */
  withMembers(
    extra: (element: PathElement) => boolean,
    descend: (element: PathElement, set: FieldSet) => FieldSet,
  ): FieldSet {
    const members = new Set(this.#members);
    const children = new Map<PathElement, FieldSet>();
    for (const [element, child] of this.#children) {
      if (extra(element)) members.add(element);
      children.set(element, descend(element, child));
    }
    return new FieldSet(members, children);
  }

  /** The paths as conflict texts print them, in the server's order. */
  paths(): string[] {
    const own = [...this.#members].sort(compareElements).map(printElement);
    const inner = [...this.#children]
      .sort(([a], [b]) => compareElements(a, b))
      .flatMap(([element, child]) => child.paths().map((path) => printElement(element) + path));
    return [...own, ...inner];
  }

  /** The set as `fieldsV1`. */
  toFieldsV1(): JsonObject {
    const result: Record<string, JsonValue> = {};
    const elements = [...this.#members];
    for (const element of this.#children.keys()) if (!this.#members.has(element)) elements.push(element);
    for (const element of elements.length > 1 ? elements.sort(compareElements) : elements) {
      const child = this.#children.get(element);
      if (child === undefined) setOwn(result, element, {});
      else {
        const inner = child.toFieldsV1();
        setOwn(result, element, this.#members.has(element) ? { ".": {}, ...inner } : inner);
      }
    }
    return result;
  }
}

/** The children that have something in them: the map itself where all have, which whoever made it gives away. */
function withoutEmpty(children: ReadonlyMap<PathElement, FieldSet>): ReadonlyMap<PathElement, FieldSet> {
  for (const child of children.values())
    if (child.isEmpty) return new Map([...children].filter(([, one]) => !one.isEmpty));
  return children;
}

function parse(fields: unknown, depth: number): FieldSet {
  if (!isJsonObject(fields) || depth > maxDepth) {
    throw new OperatorError("API_BAD_REQUEST", "Cannot read managed fields: not nested objects");
  }
  const members = new Set<PathElement>();
  const children = new Map<PathElement, FieldSet>();
  for (const [text, inner] of Object.entries(fields)) {
    if (text === ".") continue;
    const element = parseElement(text);
    const child = parse(inner, depth + 1);
    if (child.isEmpty || (isJsonObject(inner) && Object.hasOwn(inner, "."))) members.add(element);
    children.set(element, child);
  }
  return new FieldSet(members, children);
}

/** Collects paths into a {@link FieldSet}. */
export class FieldSetBuilder {
  readonly #members = new Set<PathElement>();
  readonly #children = new Map<PathElement, FieldSetBuilder>();

  /** Adds a path; the empty path is nothing. */
  add(path: readonly PathElement[]): void {
    const [element, ...rest] = path;
    if (element === undefined) return;
    if (rest.length === 0) this.#members.add(element);
    else this.below(element).add(rest);
  }

  /** Makes the one-step path a member. */
  addMember(element: PathElement): void {
    this.#members.add(element);
  }

  /** The builder for what lies below a step. */
  below(element: PathElement): FieldSetBuilder {
    let child = this.#children.get(element);
    if (child === undefined) {
      child = new FieldSetBuilder();
      this.#children.set(element, child);
    }
    return child;
  }

  build(): FieldSet {
    const children = new Map<PathElement, FieldSet>();
    for (const [element, child] of this.#children) children.set(element, child.build());
    const set = new FieldSet(new Set(this.#members), children);
    return set.isEmpty ? FieldSet.empty : set;
  }
}
