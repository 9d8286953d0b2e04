import { OperatorError } from "@kubewright/core/errors";
import { everything, Selection, type SelectOptions } from "../cache/index.js";
import type { AnyKind } from "../definition/index.js";
import type { AnyWatch, ChangeView, Predicate, Source } from "../route/index.js";
import type { AnyContext, ReconcileContext } from "./context.js";
import type { ReconcileReturn } from "./outcome.js";
import { type AnyUse, spellOut, type Use } from "./uses.js";
import { type WorkOptions, type WorkSettings, workSettings } from "./work-options.js";

/** What a controller does, and what it may read and write. */
export interface ControllerOptions<
  K extends AnyKind,
  Owns extends readonly AnyKind[],
  Uses extends readonly AnyUse[],
  Watches extends readonly AnyWatch[],
> extends WorkOptions {
  /** In logs, metrics and events. @default the kind in lower case */
  readonly name?: string;
  /** Owns the fields of the children. @default the name */
  readonly fieldManager?: string;
  /** Which changes of the object itself reconcile it, such as `generationChanged`. @default all */
  readonly when?: (change: ChangeView<K>) => boolean;
  /**
   * Only objects that match are cached and reconciled. An object that stops matching is no longer reconciled. @default all
   */
  readonly select?: Pick<SelectOptions<K>, "labels" | "fields">;
  /** Kinds of children: they are watched, and a change of one reconciles its owner. */
  readonly owns?: Owns;
  /** Kinds that are read: `Secret` is cached, `live(Secret)` is read from the server each time, `may(Pod, "delete")` allows single verbs. */
  readonly uses?: Uses;
  /** Kinds whose changes reconcile the objects that a mapping names. */
  readonly watches?: Watches;
  /** Reasons to reconcile that come from outside the cluster. */
  readonly sources?: readonly Source[];
  /** The finalizer that keeps an object until `finalize` has returned. @default the group and the name: `web.example.com/website` */
  readonly finalizer?: string;
  /**
   * Also calls `reconcile` for terminating objects that another finalizer keeps, such as `foregroundDeletion`: for their status. It must not create
   * children for them. @default false
   */
  readonly whileDeleting?: boolean;
  /**
   * Moves the actual state towards the spec. Level-triggered: it sees the current state, not the event. Never runs twice at once for one object, and
   * must be safe to repeat. A return waits for the next change; `requeueAfter` runs again after a delay; a throw retries with exponential backoff;
   * a `TerminalError` waits for the next change.
   */
  readonly reconcile: (context: ReconcileContext<K, Owns, Uses, Watches>) => ReconcileReturn | Promise<ReconcileReturn>;
  /** Cleans up external resources before the object is deleted. The finalizer is removed when it returns; `requeueAfter` keeps it. */
  readonly finalize?: (context: ReconcileContext<K, Owns, Uses, Watches>) => ReconcileReturn | Promise<ReconcileReturn>;
}

/** A controller as data. Starts nothing. */
export interface Controller extends WorkSettings {
  readonly role: "controller";
  readonly kind: AnyKind;
  readonly name: string;
  readonly fieldManager: string;
  readonly when: Predicate | undefined;
  readonly selection: Selection;
  readonly owns: readonly AnyKind[];
  readonly uses: readonly Use[];
  readonly watches: readonly AnyWatch[];
  readonly sources: readonly Source[];
  readonly finalizer: string;
  readonly whileDeleting: boolean;
  readonly reconcile: (context: AnyContext) => ReconcileReturn | Promise<ReconcileReturn>;
  readonly finalize: ((context: AnyContext) => ReconcileReturn | Promise<ReconcileReturn>) | undefined;
}

/**
 * Describes a controller. `owns`, `uses` and `watches` declare what `reconcile` can read and write: the compiler enforces it, and the Role is
 * derived from it. Starts nothing: an operator runs it. Throws CONFIG_INVALID for options that contradict each other.
 *
 * @example
 * const foo = controller(Foo, {
 *   owns: [ConfigMap],
 *   reconcile: async ({ object, apply }) => {
 *     await apply(ConfigMap, { metadata: { name: object.metadata.name }, data: {} });
 *   },
 * });
 */
export function controller<
  K extends AnyKind,
  const Owns extends readonly AnyKind[] = readonly [],
  const Uses extends readonly AnyUse[] = readonly [],
  const Watches extends readonly AnyWatch[] = readonly [],
>(kind: K, options: ControllerOptions<K, Owns, Uses, Watches>): Controller {
  const { name = kind.kind.toLowerCase() } = options;
  const { fieldManager = name, finalizer = `${kind.group === "" ? "core" : kind.group}/${name}` } = options;
  const fail = (why: string) => new OperatorError("CONFIG_INVALID", `Cannot make controller "${name}": ${why}`);
  if (!/^[^/]+\/[^/]+$/.test(finalizer)) throw fail(`the finalizer "${finalizer}" is not of the form "domain/name"`);
  for (const child of options.owns ?? []) {
    if (child.cluster !== kind.cluster) {
      throw fail(`it cannot own ${child.kind} in another cluster: owner references do not cross clusters; use \`may\``);
    }
    if (kind.scope === "Namespaced" && child.scope === "Cluster") {
      throw fail(`${kind.kind} is namespaced and cannot own ${child.kind}, which is cluster-scoped`);
    }
  }
  const mixed = ambiguous(kind, options.owns ?? [], (options.uses ?? []).map(spellOut), options.watches ?? []);
  if (mixed !== undefined)
    throw fail(`two selections of ${mixed.kind} are watched; declare in \`uses\` which of them is read`);
  // Here the declared kinds leave the type system; the context of a run checks them at run time.
  const { reconcile, finalize, when } = options as unknown as Pick<Controller, "reconcile" | "finalize" | "when">;
  return Object.freeze({
    role: "controller",
    kind,
    name,
    fieldManager,
    when,
    selection: options.select === undefined ? everything : new Selection(options.select),
    owns: options.owns ?? [],
    uses: (options.uses ?? []).map(spellOut),
    watches: options.watches ?? [],
    sources: options.sources ?? [],
    ...workSettings(name, options),
    finalizer,
    whileDeleting: options.whileDeleting ?? false,
    reconcile,
    finalize,
  });
}

/** A kind with two watched selections, where `uses` does not declare which one is read. */
function ambiguous(
  own: AnyKind,
  owns: readonly AnyKind[],
  uses: readonly Use[],
  watches: readonly AnyWatch[],
): AnyKind | undefined {
  const said = new Set(
    [own, ...owns, ...uses.filter(({ cached }) => cached).map(({ kind }) => kind)].map(({ id }) => id),
  );
  const first = new Map<string, string>();
  for (const { kind, selection } of watches) {
    const known = first.get(kind.id) ?? selection.id;
    if (!said.has(kind.id) && known !== selection.id) return kind;
    first.set(kind.id, known);
  }
  return undefined;
}
