import type { Selection } from "../cache/index.js";
import type { AnyKind } from "../definition/index.js";
import type { Controller } from "./controller.js";
import type { RawController } from "./raw-controller.js";

/** A controller of objects, or a raw controller. */
export type AnyController = Controller | RawController;

/** What reads from caches: a controller, or a webhook, which has `uses` only. */
export type CacheReader =
  | Pick<Controller, "role" | "kind" | "name" | "selection" | "children" | "uses" | "watches">
  | Pick<RawController, "role" | "kind" | "name" | "children" | "uses" | "watches">;

/** A kind and the selection of its objects that is cached. */
export interface CachedKind {
  readonly kind: AnyKind;
  readonly selection: Selection;
}

/** What a controller or a webhook caches, from which cache it reads, and which reads are tracked. */
export class CachedKinds {
  readonly all: readonly CachedKind[];
  /** Its own kind, children, and `uses`, unless they opt out. What only `watches` declares is routed by its mapping. */
  readonly tracked: readonly CachedKind[];
  readonly #first = new Map<string, Selection>();

  /** The first entry of a kind is read, in this order: its own kind, `uses`, children, `watches`, what only mappings read. */
  constructor(controller: CacheReader) {
    const { children, uses, watches } = controller;
    this.all = [
      ...(controller.role === "raw" ? [] : [{ kind: controller.kind, selection: controller.selection }]),
      ...uses.filter(({ cached, tracked }) => cached && tracked),
      ...children,
      ...watches,
      ...uses.filter(({ cached, tracked }) => cached && !tracked),
    ];
    const optedOut = new Set(uses.filter(({ tracked }) => tracked === "opted out").map(({ kind }) => kind.id));
    const read = new Set(
      [
        controller.kind,
        ...children.map(({ kind }) => kind),
        ...uses.filter(({ tracked }) => tracked).map(({ kind }) => kind),
      ].map((kind) => kind?.id),
    );
    this.tracked = this.all.filter(({ kind: { id } }) => read.has(id) && !optedOut.has(id));
    for (const { kind, selection } of this.all) if (!this.#first.has(kind.id)) this.#first.set(kind.id, selection);
  }

  /** The selection from which objects of a kind are read, by these indexes; undefined when there is none. */
  readFrom(kind: AnyKind, indexes?: readonly string[]): Selection | undefined {
    if (indexes === undefined) return this.#first.get(kind.id);
    return this.all.find(
      (cached) => cached.kind.id === kind.id && indexes.every((name) => cached.selection.indexes.has(name)),
    )?.selection;
  }
}
