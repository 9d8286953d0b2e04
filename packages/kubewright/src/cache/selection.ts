import { isJsonObject } from "@kubewright/core/json";
import { parseFieldSelector, parseLabelSelector } from "@kubewright/core/selector";
import {
  formatFields,
  formatLabels,
  type LabelSelectorInput,
  objectMeta,
  type SelectorInput,
} from "../client/index.js";
import type { AnyKind, ReadOf } from "../definition/index.js";

import { type IndexBy, type ObjectIndex, objectIndex } from "./object-index.js";

/** Which objects of a kind are kept, and what of them. */
export interface SelectOptions<K extends AnyKind> {
  /** Only objects with these labels. The server selects: others are neither sent nor kept. */
  readonly labels?: LabelSelectorInput;
  /** Only objects with these fields; which fields can be asked for depends on the kind. */
  readonly fields?: SelectorInput;
  /**
   * What is kept of an object: gives a smaller one, with `metadata`, and must not change the one that it is given. Must be safe to
   * repeat on its own result.
   */
  transform?(object: ReadOf<K>): ReadOf<K>;
}

const transformIds = new WeakMap<object, number>();
let transforms = 0;

/** A selection of objects, checked: asks the server for them, and tells whether an object that was written is one of them. */
export class Selection {
  /** Equal for selections that keep the same. */
  readonly id: string;
  readonly labels: string | undefined;
  readonly fields: string | undefined;
  readonly transform: ((object: ReadOf<AnyKind>) => ReadOf<AnyKind>) | undefined;
  /** By the names that the selection gives them. They do not change what is kept. */
  readonly indexes: ReadonlyMap<string, ObjectIndex>;
  readonly #matches: (object: ReadOf<AnyKind>) => boolean | undefined;

  /** Throws CONFIG_INVALID for what is no selector. */
  constructor(options: SelectOptions<AnyKind>, indexes: Readonly<Record<string, IndexBy<AnyKind>>> = {}) {
    this.indexes = new Map(Object.entries(indexes).map(([name, by]) => [name, objectIndex(by)]));
    this.labels = formatLabels(options.labels);
    this.fields = formatFields(options.fields);
    const { transform } = options;
    this.transform = transform && ((object) => transform(object));
    this.id = JSON.stringify([this.labels ?? "", this.fields ?? "", transform === undefined ? 0 : idOf(transform)]);
    const labels = parseLabelSelector(this.labels ?? "");
    const fields = parseFieldSelector(this.fields ?? "");
    this.#matches = (object) => {
      if (!labels.matches(objectMeta(object).labels)) return false;
      let known = true;
      const matches = fields.matches((field) => {
        const value = valueAt(object, field);
        if (value === undefined) known = false;
        return value;
      });
      // What is not in the object may have a value of the server's own.
      return known ? matches : undefined;
    };
  }

  /** Whether a watch with this selection shows the object; undefined when only the server can tell. */
  shows(object: ReadOf<AnyKind>): boolean | undefined {
    if (this.labels === undefined && this.fields === undefined) return true;
    return this.#matches(object);
  }
}

/** Keeps everything. */
export const everything = new Selection({});

function idOf(transform: object): number {
  const known = transformIds.get(transform);
  if (known !== undefined) return known;
  transforms += 1;
  transformIds.set(transform, transforms);
  return transforms;
}

function valueAt(object: unknown, field: string): string | undefined {
  let value: unknown = object;
  for (const name of field.split(".")) {
    if (!isJsonObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return typeof value === "object" || value === undefined ? undefined : String(value);
}
