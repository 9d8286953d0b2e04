import {
  type FieldSelector,
  type LabelSelector,
  parseFieldSelector,
  parseLabelSelector,
} from "@kubewright/core/selector";
import {
  formatFields,
  formatLabels,
  type LabelSelectorInput,
  objectMeta,
  type SelectorInput,
} from "../client/index.js";
import type { AnyKind, ReadOf } from "../definition/index.js";
import { fieldValue } from "./field-value.js";
import type { ObjectIndex } from "./object-index.js";
import type { Selection } from "./selection.js";

/** Options of a list from the cache. */
export interface CachedListOptions {
  /** @default the client's namespace */
  readonly namespace?: string;
  /** Objects of all namespaces. @default false */
  readonly allNamespaces?: boolean;
  /** Label selector, also set-based. */
  readonly labels?: LabelSelectorInput;
  /** Field selector by any path of the object. A missing field counts as the empty string. */
  readonly fields?: SelectorInput;
  /** Index values by index name; an object must match all of them. */
  readonly index?: Readonly<Record<string, string>>;
}

/** A value that every object of a query has, by which a change finds the queries that it may concern. */
export type Discriminator =
  | { readonly by: "index"; readonly index: ObjectIndex; readonly value: string }
  | { readonly by: "label"; readonly key: string; readonly value: string };

/** Which objects of one cached selection a list returns: those that match all of its parts. */
export class ListQuery {
  /** Undefined: all namespaces. */
  readonly namespace: string | undefined;
  /** The selection that is read, where it is known. */
  readonly selection: Selection | undefined;
  readonly indexes: readonly { readonly index: ObjectIndex; readonly value: string }[];
  readonly #labels: LabelSelectorInput | undefined;
  readonly #pairs: readonly (readonly [string, string])[];
  readonly #labelSelector: LabelSelector | undefined;
  readonly #fields: FieldSelector | undefined;

  /** Throws CONFIG_INVALID or API_BAD_REQUEST for an invalid selector. */
  constructor(
    { labels, fields, index = {} }: CachedListOptions,
    { namespace, selection }: { readonly namespace: string | undefined; readonly selection: Selection | undefined },
  ) {
    this.namespace = namespace;
    this.selection = selection;
    this.indexes = Object.entries(index).flatMap(([name, value]) => {
      const found = selection?.indexes.get(name);
      return found === undefined ? [] : [{ index: found, value }];
    });
    this.#labels = labels;
    // The common form needs no parser.
    this.#pairs = isPairs(labels) ? Object.entries(labels) : [];
    const selector = labels === undefined || isPairs(labels) ? undefined : formatLabels(labels);
    this.#labelSelector = selector === undefined ? undefined : parseLabelSelector(selector);
    const formatted = formatFields(fields);
    this.#fields = formatted === undefined ? undefined : parseFieldSelector(formatted);
  }

  /** Whether labels or fields select: otherwise every object of the namespace and the indexes matches. */
  get filters(): boolean {
    return this.#pairs.length > 0 || this.#labelSelector !== undefined || this.#fields !== undefined;
  }

  /** Whether labels and fields select the object. */
  selects(object: ReadOf<AnyKind>): boolean {
    if (this.#pairs.length > 0 || this.#labelSelector !== undefined) {
      const { labels } = objectMeta(object);
      for (const [key, value] of this.#pairs)
        if (labels === undefined || !Object.hasOwn(labels, key) || labels[key] !== value) return false;
      if (this.#labelSelector?.matches(labels) === false) return false;
    }
    return this.#fields?.matches((field) => fieldValue(object, field)) ?? true;
  }

  /** Whether the object has all index values. */
  isIndexed(object: ReadOf<AnyKind>): boolean {
    return this.indexes.every(({ index, value }) => {
      const values = index.valuesOf(object);
      return typeof values === "object" ? values.includes(value) : values === value;
    });
  }

  /** Whether a list returns this object of the selection, of whichever namespace. */
  matches(object: ReadOf<AnyKind>): boolean {
    return this.selects(object) && this.isIndexed(object);
  }

  /** Undefined: no value is common to all objects of the query. */
  get discriminator(): Discriminator | undefined {
    const [first] = this.indexes;
    if (first !== undefined) return { by: "index", ...first };
    const [pair] = this.#pairs;
    if (pair !== undefined) return { by: "label", key: pair[0], value: pair[1] };
    for (const { key, operator, values } of this.#labelSelector?.requirements ?? []) {
      const [value, ...more] = values;
      const isOne = operator === "=" || operator === "==" || operator === "in";
      if (isOne && value !== undefined && more.length === 0) return { by: "label", key, value };
    }
    return undefined;
  }

  /** Equal for queries that return the same. */
  get id(): string {
    return JSON.stringify([
      this.namespace,
      this.#labelSelector?.toString() ?? this.#labels,
      this.#fields?.toString(),
      this.indexes.map(({ index, value }) => [index.id, value]),
    ]);
  }
}

/** Whether a selector is a plain object of labels. */
function isPairs(labels: LabelSelectorInput | undefined): labels is Readonly<Record<string, string>> {
  return (
    typeof labels === "object" &&
    typeof labels["matchLabels"] !== "object" &&
    typeof labels["matchExpressions"] !== "object"
  );
}
