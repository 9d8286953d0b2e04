import { isJsonObject } from "@kubewright/core/json";
import { type Schema, structureOf } from "@kubewright/core/schema";
import { componentOf } from "./builtin-api.js";
import { type Draft, type DraftValue, isDraft } from "./draft.js";
import { omitEmptyFields } from "./omit-empty-fields.gen.js";
import { isStoredPart } from "./stored-part.js";

/** The encoding rules of one Go struct, computed once per schema. */
interface Shape {
  /** Scalars with `omitempty`: omitted if they hold the zero value. */
  readonly omitempty: ReadonlySet<string>;
  /** Fields without `omitempty`: present even if unset, a struct with its shape, others with this value. */
  readonly alwaysPresent: readonly (readonly [
    field: string,
    value: Shape | string | number | bigint | boolean | null,
  ])[];
  /** Fields with structs inside; the entries of lists and maps have this shape. */
  readonly inner: ReadonlyMap<string, Shape>;
}

const shapes = new WeakMap<Schema, Shape>();

/**
 * Applies Go's `omitempty` to an object, in place, as every write to kube-apiserver does: it omits zero values with `omitempty`, and adds
 * structs and scalars without it. Clients compare what they sent with what is stored. Frozen parts come from a stored object: they are
 * complete.
 */
export function omitEmpty(draft: Draft, schema: Schema): void {
  apply(draft, shapeOf(schema));
}

/** The empty object of a kind, without metadata. */
export function emptyObject(schema: Schema): Draft {
  const created: Draft = {};
  apply(created, shapeOf(schema));
  for (const key of ["apiVersion", "kind", "metadata"]) delete created[key];
  return created;
}

function apply(draft: Draft, shape: Shape): void {
  for (const key in draft) {
    const value = draft[key];
    if (value === "" || value === 0 || value === false) {
      if (shape.omitempty.has(key)) delete draft[key];
      continue;
    }
    if (typeof value !== "object" || value === null) continue;
    const inner = shape.inner.get(key);
    if (inner === undefined) continue;
    if (isStoredPart(value)) continue;
    if (Array.isArray(value)) {
      for (let index = 0; index < value.length; index++) {
        // Null in a list of structs decodes to an empty struct.
        const entry: DraftValue = value[index] ?? {};
        value[index] = entry;
        if (isDraft(entry)) apply(entry, inner);
      }
    } else apply(value, inner);
  }
  const { alwaysPresent } = shape;
  for (let index = 0; index < alwaysPresent.length; index++) {
    const field = alwaysPresent[index];
    if (field === undefined || draft[field[0]] !== undefined) continue;
    const [key, value] = field;
    if (isShape(value)) {
      const created: Draft = {};
      draft[key] = created;
      apply(created, value);
    } else draft[key] = value;
  }
}

function isShape(value: Shape | string | number | bigint | boolean | null): value is Shape {
  return typeof value === "object" && value !== null;
}

function shapeOf(schema: Schema): Shape {
  const structure = structureOf(schema) ?? schema;
  const known = shapes.get(structure);
  if (known) return known;
  const [zero = "", nulls = ""] = omitEmptyFields[componentOf(structure) ?? ""] ?? [];
  const alwaysPresent: (readonly [string, Shape | string | number | bigint | boolean | null])[] = [];
  const inner = new Map<string, Shape>();
  const bytes = Object.entries(structure.properties ?? {}).filter(
    ([name, field]) => field.format === "byte" && !structure.required?.includes(name),
  );
  const shape: Shape = {
    omitempty: new Set([...zero.split(" "), ...bytes.map(([name]) => name)]),
    alwaysPresent,
    inner,
  };
  // Cached before it is filled: schemas are recursive.
  shapes.set(structure, shape);
  const unset = new Set(nulls.split(" "));
  for (const [name, field] of Object.entries(structure.properties ?? {})) {
    const target = structureOf(field) ?? field;
    const entries = target.items ?? (isSchema(target.additionalProperties) ? target.additionalProperties : target);
    const entry = structureOf(entries) ?? entries;
    if (entry.properties !== undefined) inner.set(name, shapeOf(entry));
    const zeroValue = field.default;
    if (unset.has(name)) alwaysPresent.push([name, null]);
    else if (isJsonObject(zeroValue) && target.properties !== undefined) alwaysPresent.push([name, shapeOf(target)]);
    else if (zeroValue !== undefined && typeof zeroValue !== "object" && structure.required?.includes(name))
      alwaysPresent.push([name, zeroValue]);
  }
  return shape;
}

function isSchema(value: Schema["additionalProperties"]): value is Schema {
  return typeof value === "object";
}
