import { isJsonObject } from "@kubewright/core/json";
import { type Schema, structureOf } from "@kubewright/core/schema";
import { componentOf } from "../builtin-api.js";
import { type Draft, type DraftValue, isDraft } from "../draft.js";
import { goFields } from "./go-fields.gen.js";

/** What a real server's typed objects do to the fields of one struct, made once for each schema. */
interface Shape {
  /** Scalars that vanish when they hold a zero value. */
  readonly vanishing: ReadonlySet<string>;
  /** What is printed when it is unset: empty structs by their shape, scalars and null as they are. */
  readonly printed: readonly (readonly [field: string, value: Shape | string | number | boolean | null])[];
  /** Fields to walk into; the entries of lists and maps have the same shape. */
  readonly inner: ReadonlyMap<string, Shape>;
}

const shapes = new WeakMap<Schema, Shape>();

/**
 * Gives an object, in place, the form that it takes as a value of its Go type: zero values that are not printed vanish, structs and
 * scalars that are always printed appear. Frozen parts are those of a stored object, which has that form.
 */
export function settleGoValues(draft: Draft, schema: Schema): void {
  settle(draft, shapeOf(schema));
}

/** What a real server's empty object of a kind holds, without metadata. */
export function emptyGoValue(schema: Schema): Draft {
  const made: Draft = {};
  settle(made, shapeOf(schema));
  for (const key of ["apiVersion", "kind", "metadata"]) delete made[key];
  return made;
}

function settle(draft: Draft, shape: Shape): void {
  for (const key in draft) {
    const value = draft[key];
    if (value === "" || value === 0 || value === false) {
      if (shape.vanishing.has(key)) delete draft[key];
      continue;
    }
    if (typeof value !== "object" || value === null) continue;
    const inner = shape.inner.get(key);
    if (inner === undefined) continue;
    // A part of a stored object has that form.
    if (Object.isFrozen(value)) continue;
    if (Array.isArray(value)) {
      for (let index = 0; index < value.length; index++) {
        // Null in a list of structs is an empty struct.
        const entry: DraftValue = value[index] ?? {};
        value[index] = entry;
        if (isDraft(entry)) settle(entry, inner);
      }
    } else settle(value, inner);
  }
  const { printed } = shape;
  for (let index = 0; index < printed.length; index++) {
    const field = printed[index];
    if (field === undefined || draft[field[0]] !== undefined) continue;
    const [key, value] = field;
    if (isShape(value)) {
      const made: Draft = {};
      draft[key] = made;
      settle(made, value);
    } else draft[key] = value;
  }
}

function isShape(value: Shape | string | number | boolean | null): value is Shape {
  return typeof value === "object" && value !== null;
}

function shapeOf(schema: Schema): Shape {
  const structure = structureOf(schema) ?? schema;
  const known = shapes.get(structure);
  if (known) return known;
  const [zero = "", nulls = ""] = goFields[componentOf(structure) ?? ""] ?? [];
  const printed: (readonly [string, Shape | string | number | boolean | null])[] = [];
  const inner = new Map<string, Shape>();
  const bytes = Object.entries(structure.properties ?? {}).filter(
    ([name, field]) => field.format === "byte" && !structure.required?.includes(name),
  );
  const shape: Shape = { vanishing: new Set([...zero.split(" "), ...bytes.map(([name]) => name)]), printed, inner };
  // Known before it is filled: schemas refer to themselves.
  shapes.set(structure, shape);
  const unset = new Set(nulls.split(" "));
  for (const [name, field] of Object.entries(structure.properties ?? {})) {
    const target = structureOf(field) ?? field;
    const entries = target.items ?? (isSchema(target.additionalProperties) ? target.additionalProperties : target);
    const entry = structureOf(entries) ?? entries;
    if (entry.properties !== undefined) inner.set(name, shapeOf(entry));
    const zeroValue = field.default;
    if (unset.has(name)) printed.push([name, null]);
    else if (isJsonObject(zeroValue) && target.properties !== undefined) printed.push([name, shapeOf(target)]);
    else if (zeroValue !== undefined && typeof zeroValue !== "object" && structure.required?.includes(name))
      printed.push([name, zeroValue]);
  }
  return shape;
}

function isSchema(value: Schema["additionalProperties"]): value is Schema {
  return typeof value === "object";
}
