import { parseFieldSelector, parseLabelSelector } from "@kubewright/core/selector";
import {
  formatFields,
  formatLabels,
  type LabelSelectorInput,
  objectMeta,
  type SelectorInput,
} from "../client/index.js";
import type { AnyKind, ReadOf } from "../definition/index.js";
import { fieldValue } from "./field-value.js";
import { type IndexBy, type ObjectIndex, objectIndex } from "./object-index.js";

/** Which objects of a kind to cache, and which parts of them. */
export interface SelectOptions<K extends AnyKind> {
  /** Label selector. The server evaluates it, so that other objects are neither sent nor cached. */
  readonly labels?: LabelSelectorInput;
  /** Field selector. The supported fields depend on the kind. */
  readonly fields?: SelectorInput;
  /**
   * Reduces an object before it is cached. Returns a smaller object with its `metadata`; must not mutate its argument and must be idempotent.
   */
  transform?(object: ReadOf<K>): ReadOf<K>;
}

const transformIds = new WeakMap<object, number>();
let transforms = 0;

/** A validated selection: the selectors for the server, and a local check whether they match an object. */
export class Selection {
  /** Equal for selections that cache the same. */
  readonly id: string;
  readonly labels: string | undefined;
  readonly fields: string | undefined;
  readonly transform: ((object: ReadOf<AnyKind>) => ReadOf<AnyKind>) | undefined;
  /** Indexes by name. They do not affect what is cached. */
  readonly indexes: ReadonlyMap<string, ObjectIndex>;
  readonly #matches: (object: ReadOf<AnyKind>) => boolean | undefined;

  /** Throws CONFIG_INVALID for an invalid selector. */
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
        const value = fieldValue(object, field);
        if (value === undefined) known = false;
        return value;
      });
      // A field that is missing in the object may have a value on the server.
      return known ? matches : undefined;
    };
  }

  /** Whether a watch with this selection includes the object; undefined: only the server knows. */
  shows(object: ReadOf<AnyKind>): boolean | undefined {
    if (this.labels === undefined && this.fields === undefined) return true;
    return this.#matches(object);
  }
}

/** Selects all objects, unchanged. */
export const everything = new Selection({});

function idOf(transform: object): number {
  const known = transformIds.get(transform);
  if (known !== undefined) return known;
  transforms += 1;
  transformIds.set(transform, transforms);
  return transforms;
}
