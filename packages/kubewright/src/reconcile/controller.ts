import { OperatorError } from "@kubewright/core/errors";
import { everything, Selection, type SelectOptions } from "../cache/index.js";
import type { AnyKind } from "../definition/index.js";
import type { AnyWatch, ChangeView, Predicate, Source } from "../route/index.js";
import type { AnyContext, ReconcileContext } from "./context.js";
import type { ReconcileReturn } from "./outcome.js";
import { type AnyUse, spellOut, type Use } from "./uses.js";
import { type WorkOptions, type WorkSettings, workSettings } from "./work-options.js";

/** What a controller does, and what it may touch. */
export interface ControllerOptions<
  K extends AnyKind,
  Owns extends readonly AnyKind[],
  Uses extends readonly AnyUse[],
  Watches extends readonly AnyWatch[],
> extends WorkOptions {
  /** In logs, metrics and events. @default the kind in lower case */
  readonly name?: string;
  /** Whose fields the children's are. @default the name */
  readonly fieldManager?: string;
  /** Which changes of the object itself are a reason to reconcile, such as `generationChanged`. @default all */
  readonly when?: (change: ChangeView<K>) => boolean;
  /**
   * Only objects with these labels or fields are this controller's: others are neither reconciled nor kept, for instance those of another
   * part of the objects' users. One that leaves the selection is not told of any more. @default all
   */
  readonly select?: Pick<SelectOptions<K>, "labels" | "fields">;
  /** Kinds of children: they are watched, and a change of one reconciles its owner. */
  readonly owns?: Owns;
  /** Kinds that are read: `Secret` keeps a copy, `live(Secret)` asks each time, `may(Pod, "delete")` allows single verbs. */
  readonly uses?: Uses;
  /** Kinds whose changes reconcile the objects that a mapping names. */
  readonly watches?: Watches;
  /** Reasons to reconcile that are not in the cluster. */
  readonly sources?: readonly Source[];
  /** The finalizer that holds an object until `finalize` is done. @default the group and the name: `web.example.com/website` */
  readonly finalizer?: string;
  /**
   * Whether `reconcile` is also called for objects that are being deleted while somebody else's finalizer holds them, such as the one of a
   * deletion in the foreground: for their status. Nothing is to be made for them any more. @default false
   */
  readonly whileDeleting?: boolean;
  /**
   * Makes the world be as the object says. Called for every reason to look, never twice at once for one object; it must be
   * safe to repeat. Return: wait for the next change; `requeueAfter`: come back; a throw: try again, ever more slowly;
   * a `TerminalError`: wait for the next change.
   */
  readonly reconcile: (context: ReconcileContext<K, Owns, Uses, Watches>) => ReconcileReturn | Promise<ReconcileReturn>;
  /** Cleans up outside the cluster before the object goes. The object stays until it returned; `requeueAfter` means: not yet. */
  readonly finalize?: (context: ReconcileContext<K, Owns, Uses, Watches>) => ReconcileReturn | Promise<ReconcileReturn>;
}

/** A controller as data: who it is, what it does, what it may touch. Starts nothing. */
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
 * Describes a controller. What `owns`, `uses` and `watches` declare is what the context of `reconcile` can touch, for the
 * compiler, and what its role allows, on the server. Pure: an operator runs it.
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
      throw fail(`it cannot own ${child.kind} in another cluster: owner references end at the border; use \`may\``);
    }
    if (kind.scope === "Namespaced" && child.scope === "Cluster") {
      throw fail(`${kind.kind} is namespaced and cannot own ${child.kind}, which is cluster-scoped`);
    }
  }
  const mixed = ambiguous(kind, options.owns ?? [], (options.uses ?? []).map(spellOut), options.watches ?? []);
  if (mixed !== undefined)
    throw fail(`two selections of ${mixed.kind} are watched; say in \`uses\` which of them is read`);
  // The one place where the declared kinds leave the types: the context that a run makes holds to them at run time.
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

/** A kind of which two selections are watched, and none is declared to be the one that is read. */
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
