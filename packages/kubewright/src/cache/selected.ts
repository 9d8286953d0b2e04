import type { AnyKind } from "../definition/index.js";
import type { IndexBy } from "./object-index.js";
import { Selection, type SelectOptions } from "./selection.js";

/** A kind of which a selection is cached, with its indexes. */
export interface Selected<K extends AnyKind, Index extends string = string> {
  readonly role: "select";
  readonly kind: K;
  readonly selection: Selection;
  readonly indexes: Readonly<Record<Index, IndexBy<AnyKind>>>;
}

/** What is selected, and its indexes. */
export interface IndexedSelectOptions<K extends AnyKind, Index extends string> extends SelectOptions<K> {
  /** Index functions by name; finds objects without a scan: `list(Pod, { index: { node: "a" } })`. */
  readonly indexes?: Readonly<Record<Index, IndexBy<K>>>;
}

/**
 * Caches only some objects of a kind, or a part of each: reads see nothing else. `indexes` find them without a scan.
 *
 * @example
 * uses: [select(Secret, { labels: { app: "website" }, transform: ({ data: _, ...rest }) => rest })]
 *
 * @example
 * uses: [select(Pod, { indexes: { node: ({ spec }) => spec?.nodeName } })]
 */
export function select<K extends AnyKind, const Index extends string = never>(
  kind: K,
  options: IndexedSelectOptions<K, Index>,
): Selected<K, Index> {
  const indexes = (options.indexes ?? {}) as unknown as Record<Index, IndexBy<AnyKind>>;
  return { role: "select", kind, selection: new Selection(options as SelectOptions<AnyKind>, indexes), indexes };
}
