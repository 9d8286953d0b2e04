import { OperatorError } from "../errors/index.js";
import { isJsonObject, type JsonObject, type JsonValue, setOwn } from "../json/index.js";
import { compareElements, fieldElement, type PathElement, parseElement, printElement } from "./path-element.js";

/** Maximum nesting depth of a field set. */
const maxDepth = 1_000;

/** The field sets of frozen `fieldsV1` values. */
const parsedFields = new WeakMap<JsonObject, FieldSet>();

/**
 * A set of field paths, such as the fields that a manager owns. Immutable.
 *
 * A member does not imply its parents or children: `spec` and `spec.replicas` are two members.
 */
export class FieldSet {
  readonly #members: ReadonlySet<PathElement>;
  readonly #children: ReadonlyMap<PathElement, FieldSet>;
  /** The cached `fieldsV1`: at the root or below a non-member, and below a member. */
  #fields: JsonObject | undefined;
  #memberFields: JsonObject | undefined;

  /** Takes ownership of both collections: the caller must not change them afterwards. */
  constructor(members: ReadonlySet<PathElement>, children: ReadonlyMap<PathElement, FieldSet>) {
    this.#members = members;
    this.#children = withoutEmpty(children);
  }

  /** The empty set. */
  static readonly empty: FieldSet = new FieldSet(new Set(), new Map());

  /** A set of paths of field names: `FieldSet.of(["status"], ["metadata", "name"])`. */
  static of(...paths: readonly (readonly string[])[]): FieldSet {
    const builder = new FieldSetBuilder();
    for (const path of paths) builder.add(path.map(fieldElement));
    return builder.build();
  }

  /** Parses `fieldsV1`. Throws an API_BAD_REQUEST error if it is malformed. */
  static parse(fields: unknown): FieldSet {
    if (!isJsonObject(fields) || !Object.isFrozen(fields)) return parse(fields, 0);
    // Objects from one client share one frozen value, and most writes do not change the fields of most managers.
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

  /** Whether the path of this one element is a member. */
  has(element: PathElement): boolean {
    return this.#members.has(element);
  }

  /** The set of the remaining paths below an element. */
  below(element: PathElement): FieldSet {
    return this.#children.get(element) ?? FieldSet.empty;
  }

  /** The union; this set itself if `other` adds nothing. */
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

  /** The members that are not in `other`; members below members of `other` stay. Returns this set itself if nothing is removed. */
  difference(other: FieldSet): FieldSet {
    return this.#without(other, false);
  }

  /** The members that are neither in `other` nor below one of its members. Returns this set itself if nothing is removed. */
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

  /** A copy with the changed collections; this set itself if there are none. */
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

  /** Adds members at each level: `extra` decides for each element that has children. */
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

  /** The paths as conflict messages print them, in kube-apiserver's order. */
  paths(): string[] {
    const own = [...this.#members].sort(compareElements).map(printElement);
    const inner = [...this.#children]
      .sort(([a], [b]) => compareElements(a, b))
      .flatMap(([element, child]) => child.paths().map((path) => printElement(element) + path));
    return [...own, ...inner];
  }

  /** The set as `fieldsV1`: frozen, and the same value on each call. */
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

/** Used by private methods: in a class with a static instance, the compiler mangles methods that name the class. */
function makeSet(members: ReadonlySet<PathElement>, children: ReadonlyMap<PathElement, FieldSet>): FieldSet {
  return new FieldSet(members, children);
}

/** The value of a member without children. */
const nothing: JsonObject = Object.freeze({});

/** The non-empty children; the map itself if none is empty. */
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

  /** Adds a path; ignores the empty path. */
  add(path: readonly PathElement[]): void {
    const [element, ...rest] = path;
    if (element === undefined) return;
    if (rest.length === 0) this.addMember(element);
    else this.below(element).add(rest);
  }

  /** Adds the path of this one element. */
  addMember(element: PathElement): void {
    this.#members ??= new Set();
    this.#members.add(element);
  }

  /** The builder for the paths below an element. */
  below(element: PathElement): FieldSetBuilder {
    this.#children ??= new Map();
    let child = this.#children.get(element);
    if (child === undefined) {
      child = new FieldSetBuilder();
      this.#children.set(element, child);
    }
    return child;
  }

  /** Builds the set. Do not add paths afterwards. */
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
