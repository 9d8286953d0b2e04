import type { JsonObject } from "../json/index.js";
import type { Schema } from "../schema/index.js";
import { type Changes, changesOf, RenamedChanges } from "./changes.js";
import { compareValues } from "./compare-values.js";
import type { FieldSet, Rename } from "./field-set.js";
import { mergePlan } from "./merge-plan.js";
import type { PathElement } from "./path-element.js";
import { elementOf, type Key, type Places, ShapeWalk } from "./shape-walk.js";

/** How many shapes of one kind are remembered, and how long one may be. */
const maxShapes = 512;
const maxLength = 8_192;

/** What writes of one shape do, as the first of them did it, and the last. */
interface Known {
  readonly first: Found;
  readonly places: Places;
  /** Writes with the same keys often come one after the other. */
  last: Found;
}

interface Found {
  readonly changes: Changes;
  /** The keys of list elements, in the order of the shape. */
  readonly keys: readonly Key[];
}

const known = new WeakMap<Schema, WeakMap<FieldSet, Map<string, Known>>>();

/**
 * What changed between two objects, outside of `ignoredFields`: found once for all writes of the same shape.
 *
 * A shape tells which fields came, went, or got another value. Keys of list elements are no part of it: in what was found for one write, those
 * of another are put in their place. Parts that are the very same value are not looked at.
 */
export function changesBetween(
  before: JsonObject,
  after: JsonObject,
  schema: Schema,
  ignoredFields: FieldSet,
): Changes {
  const walk = new ShapeWalk();
  const shape = walk.fields(before, after, mergePlan(schema), undefined);
  const find = (): Changes => changesOf(compareValues(before, after, schema), ignoredFields);
  if (walk.isOdd || shape.length > maxLength) return find();
  const shapes = shapesOf(schema, ignoredFields);
  const { keys } = walk;
  const same = shapes.get(shape);
  if (same !== undefined) {
    if (!isSame(same.last.keys, keys)) same.last = { keys, changes: renamed(same, keys) };
    return same.last.changes;
  }
  const places: Places = new Map();
  new ShapeWalk().fields(before, after, mergePlan(schema), places);
  const first = { changes: find(), keys };
  if (shapes.size >= maxShapes) shapes.delete(shapes.keys().next().value ?? "");
  shapes.set(shape, { first, places, last: first });
  return first.changes;
}

function isSame(some: readonly Key[], others: readonly Key[]): boolean {
  for (let at = 0; at < some.length; at++) if (some[at] !== others[at]) return false;
  return true;
}

function renamed({ first, places }: Known, keys: readonly Key[]): Changes {
  const renames = renamesOf(places, first.keys, keys);
  return renames === undefined ? first.changes : new RenamedChanges(first.changes, renames);
}

function shapesOf(schema: Schema, ignoredFields: FieldSet): Map<string, Known> {
  let sets = known.get(schema);
  if (sets === undefined) {
    sets = new WeakMap();
    known.set(schema, sets);
  }
  let shapes = sets.get(ignoredFields);
  if (shapes === undefined) {
    shapes = new Map();
    sets.set(ignoredFields, shapes);
  }
  return shapes;
}

/** Which steps of what was found for some keys have to be others for other keys; undefined for none. */
function renamesOf(places: Places, from: readonly Key[], to: readonly Key[]): Map<PathElement, Rename> | undefined {
  let renames: Map<PathElement, Rename> | undefined;
  for (const [element, { inner, names, first }] of places) {
    const below = inner.size === 0 ? undefined : renamesOf(inner, from, to);
    const renamed = names === undefined ? element : elementAt(element, names, first, from, to);
    if (below === undefined && renamed === element) continue;
    renames ??= new Map();
    renames.set(element, { to: renamed, below });
  }
  return renames;
}

function elementAt(
  element: PathElement,
  names: readonly string[],
  first: number,
  from: readonly Key[],
  to: readonly Key[],
): PathElement {
  const last = first + Math.max(names.length, 1);
  for (let at = first; at < last; at++) if (from[at] !== to[at]) return elementOf(names, to.slice(first, last));
  return element;
}
