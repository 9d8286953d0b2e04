import { OperatorError } from "../errors/index.js";
import { isJsonObject, type JsonObject, type JsonValue, setOwn } from "../json/index.js";
import { compareElements, fieldElement, type PathElement, parseElement, printElement } from "./path-element.js";

/** How deep a set of fields may be nested. */
const maxDepth = 1_000;

/** What frozen values of `fieldsV1` were parsed to. */
const parsedFields = new WeakMap<JsonObject, FieldSet>();

/**
 * A set of paths into an object: what one field manager owns. Never changes.
 *
 * A path in the set says nothing about paths above or below it: `spec` and `spec.replicas` are two members.
 */
export class FieldSet {
  readonly #members: ReadonlySet<PathElement>;
  readonly #children: ReadonlyMap<PathElement, FieldSet>;
  /** As it was read or written before: by itself, and below a step that is a member. */
  #fields: JsonObject | undefined;
  #memberFields: JsonObject | undefined;

  /** Takes over both collections: whoever made them must not change them any more. */
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
    if (!isJsonObject(fields) || !Object.isFrozen(fields)) return parse(fields, 0);
    // The objects that one program wrote share one frozen value, and most managers of an object keep their fields.
    let set = parsedFields.get(fields);
    if (set === undefined) {
      set = parse(fields, 0);
      set.#fields = fields;
      parsedFields.set(fields, set);
    }
    return set;
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

  /** Both together; this very set where `other` adds nothing. */
  union(other: FieldSet): FieldSet {
    if (other.isEmpty || other === this) return this;
    if (this.isEmpty) return other;
    let members: Set<PathElement> | undefined;
    for (const element of other.#members)
      if (!this.#members.has(element)) {
        members ??= new Set(this.#members);
        members.add(element);
      }
    let children: Map<PathElement, FieldSet> | undefined;
    for (const [element, child] of other.#children) {
      const own = this.#children.get(element);
      const union = own === undefined ? child : own.union(child);
      if (union === own) continue;
      children ??= new Map(this.#children);
      children.set(element, union);
    }
    return this.#with(members, children);
  }

  intersection(other: FieldSet): FieldSet {
    if (this.isEmpty || other.isEmpty) return FieldSet.empty;
    const members = new Set<PathElement>();
    for (const element of other.#members) if (this.#members.has(element)) members.add(element);
    const children = new Map<PathElement, FieldSet>();
    for (const [element, child] of other.#children) {
      const own = this.#children.get(element);
      if (own !== undefined) children.set(element, own.intersection(child));
    }
    return new FieldSet(members, children);
  }

  /** The members that are not in `other`; what lies below members of `other` stays. This very set where nothing goes. */
  difference(other: FieldSet): FieldSet {
    return this.#without(other, false);
  }

  /** The members that are neither in `other` nor below one of its members. This very set where nothing goes. */
  outside(other: FieldSet): FieldSet {
    return this.#without(other, true);
  }

  #without(other: FieldSet, below: boolean): FieldSet {
    if (this.isEmpty || other.isEmpty) return this;
    let members: Set<PathElement> | undefined;
    let children: Map<PathElement, FieldSet> | undefined;
    for (const element of other.#members) {
      if (this.#members.has(element)) {
        members ??= new Set(this.#members);
        members.delete(element);
      }
      if (below && this.#children.has(element)) {
        children ??= new Map(this.#children);
        children.delete(element);
      }
    }
    for (const [element, child] of other.#children) {
      const own = (children ?? this.#children).get(element);
      if (own === undefined) continue;
      const left = own.#without(child, below);
      if (left === own) continue;
      children ??= new Map(this.#children);
      children.set(element, left);
    }
    return this.#with(members, children);
  }

  /** The same set with what was changed of it; itself where that is nothing. */
  #with(members: Set<PathElement> | undefined, children: Map<PathElement, FieldSet> | undefined): FieldSet {
    if (members === undefined && children === undefined) return this;
    return makeSet(members ?? this.#members, children ?? this.#children);
  }

  equals(other: FieldSet): boolean {
    if (this === other) return true;
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

  /** The set as `fieldsV1`: frozen, the same value each time. */
  toFieldsV1(): JsonObject {
    return this.#encode(false);
  }

  #encode(isMember: boolean): JsonObject {
    const known = isMember ? this.#memberFields : this.#fields;
    if (known !== undefined) return known;
    const result: Record<string, JsonValue> = {};
    if (isMember) result["."] = nothing;
    const elements = [...this.#members];
    for (const element of this.#children.keys()) if (!this.#members.has(element)) elements.push(element);
    for (const element of elements.length > 1 ? elements.sort(compareElements) : elements) {
      const child = this.#children.get(element);
      setOwn(result, element, child === undefined ? nothing : child.#encode(this.#members.has(element)));
    }
    Object.freeze(result);
    if (isMember) this.#memberFields = result;
    else this.#fields = result;
    return result;
  }
}

/** For private methods: of a class with a static instance, the compiler mangles methods that name the class themselves. */
function makeSet(members: ReadonlySet<PathElement>, children: ReadonlyMap<PathElement, FieldSet>): FieldSet {
  return new FieldSet(members, children);
}

/** What stands below a member. */
const nothing: JsonObject = Object.freeze({});

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

const noMembers: ReadonlySet<PathElement> = new Set();
const noChildren: ReadonlyMap<PathElement, FieldSet> = new Map();

/** Collects paths into a {@link FieldSet}. */
export class FieldSetBuilder {
  #members: Set<PathElement> | undefined;
  #children: Map<PathElement, FieldSetBuilder> | undefined;

  /** Adds a path; the empty path is nothing. */
  add(path: readonly PathElement[]): void {
    const [element, ...rest] = path;
    if (element === undefined) return;
    if (rest.length === 0) this.addMember(element);
    else this.below(element).add(rest);
  }

  /** Makes the one-step path a member. */
  addMember(element: PathElement): void {
    this.#members ??= new Set();
    this.#members.add(element);
  }

  /** The builder for what lies below a step. */
  below(element: PathElement): FieldSetBuilder {
    this.#children ??= new Map();
    let child = this.#children.get(element);
    if (child === undefined) {
      child = new FieldSetBuilder();
      this.#children.set(element, child);
    }
    return child;
  }

  /** The set of what was added. Nothing may be added afterwards. */
  build(): FieldSet {
    if (this.#members === undefined && this.#children === undefined) return FieldSet.empty;
    let children = noChildren;
    if (this.#children !== undefined) {
      const built = new Map<PathElement, FieldSet>();
      for (const [element, child] of this.#children) {
        const set = child.build();
        if (!set.isEmpty) built.set(element, set);
      }
      children = built;
    }
    const set = new FieldSet(this.#members ?? noMembers, children);
    return set.isEmpty ? FieldSet.empty : set;
  }
}
