import { OperatorError } from "@kubewright/core/errors";
import { parseFieldSelector } from "@kubewright/core/selector";
import { type AnyRead, everything, Selection, type SelectOptions } from "../cache/index.js";
import { objectMeta } from "../client/index.js";
import type { AnyKind, ReadOf } from "../definition/index.js";
import type { AnyWatch, ChangeView, Predicate, Source } from "../route/index.js";
import { type ChildKind, childKinds, managedKinds } from "./child-kinds.js";
import type { AnyContext, ReconcileContext } from "./context.js";
import type { Gone } from "./known-objects.js";
import type { ReconcileReturn } from "./outcome.js";
import { type AnyUse, type Use, usesOf } from "./uses.js";
import { type WorkOptions, type WorkSettings, workSettings } from "./work-options.js";

/** What a controller does, and what it may read and write. */
export interface ControllerOptions<
  K extends AnyKind,
  Owns extends readonly AnyRead[],
  Uses extends readonly AnyUse[],
  Watches extends readonly AnyWatch[],
  Manages extends readonly AnyKind[] = readonly [],
> extends WorkOptions {
  /** In logs, metrics and events. @default the kind in lower case */
  readonly name?: string;
  /** Owns the fields of the children. @default the name */
  readonly fieldManager?: string;
  /**
   * Earlier names of the controller, or field managers of another program that it replaces. Their finalizers (the group and the name) are taken over, and
   * so are the fields that they applied or updated in children. @default none
   */
  readonly formerNames?: readonly string[];
  /** Which changes of the object itself reconcile it, such as `generationChanged`. @default all */
  readonly when?: (change: ChangeView<K>) => boolean;
  /**
   * Only objects that match are reconciled. An object that stops matching is no longer reconciled; if it has the controller's finalizer, it is still
   * finalized. Only matching objects are cached, except where the controller has a `finalize`: then all are. @default all
   */
  readonly select?: Pick<SelectOptions<K>, "labels" | "fields">;
  /**
   * Kinds of children: they are watched, and a change of one reconciles its owner. `select(Secret, { labels })` caches only those; the labels are added
   * to the children, and a child outside of the selection is rejected.
   */
  readonly owns?: Owns;
  /**
   * Kinds of objects that belong to the owner and cannot have an ownerReference to it: cluster-scoped objects of a namespaced owner, objects in other
   * namespaces. They carry a label with the owner's uid; the framework's finalizer deletes them before the owner, after `finalize`. Only labeled
   * objects are cached.
   */
  readonly manages?: Manages;
  /**
   * Kinds that are read. `Secret` is cached and tracked: what a run has read of it reconciles the object again when it changes. `untracked(Secret)` is
   * cached only, `live(Secret)` is read from the server each time, `may(Pod, "delete")` allows single verbs.
   */
  readonly uses?: Uses;
  /** Kinds whose changes reconcile the objects that a mapping names: for what a run does not read. */
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
  readonly reconcile: (
    context: ReconcileContext<K, Owns, Uses, Watches, Manages>,
  ) => ReconcileReturn | Promise<ReconcileReturn>;
  /** Cleans up external resources before the object is deleted. The finalizer is removed when it returns; `requeueAfter` keeps it. */
  readonly finalize?: (
    context: ReconcileContext<K, Owns, Uses, Watches, Manages>,
  ) => ReconcileReturn | Promise<ReconcileReturn>;
  /**
   * Called once for each reconciled object that has disappeared, or that another replica reconciles from now on: for gauges and other state in this
   * process. Never while the object's run is in progress; not for an object that was created again before. It is not called for deletions while
   * the process does not run: use `finalize` for what is outside of it. What it throws is logged. @default nothing
   */
  readonly gone?: Gone;
}

/** A controller as data. Starts nothing. */
export interface Controller extends WorkSettings {
  readonly role: "controller";
  readonly kind: AnyKind;
  readonly name: string;
  readonly fieldManager: string;
  readonly when: Predicate | undefined;
  /** Which objects are cached. */
  readonly selection: Selection;
  /** Whether an object is reconciled or finalized; undefined: every cached one. */
  readonly concerns: ((object: ReadOf<AnyKind>) => boolean) | undefined;
  readonly owns: readonly AnyKind[];
  readonly manages: readonly AnyKind[];
  /** Which objects of the kinds of children are cached. */
  readonly children: readonly ChildKind[];
  readonly uses: readonly Use[];
  readonly watches: readonly AnyWatch[];
  readonly sources: readonly Source[];
  readonly finalizer: string;
  /** Earlier field managers, and the finalizers that belong to them. */
  readonly formerNames: readonly string[];
  readonly formerFinalizers: readonly string[];
  readonly whileDeleting: boolean;
  readonly reconcile: (context: AnyContext) => ReconcileReturn | Promise<ReconcileReturn>;
  readonly finalize: ((context: AnyContext) => ReconcileReturn | Promise<ReconcileReturn>) | undefined;
  readonly gone: Gone | undefined;
  /** Whether its objects have its finalizer: for `finalize`, or to delete managed objects. */
  readonly finalizes: boolean;
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
  const Owns extends readonly AnyRead[] = readonly [],
  const Uses extends readonly AnyUse[] = readonly [],
  const Watches extends readonly AnyWatch[] = readonly [],
  const Manages extends readonly AnyKind[] = readonly [],
>(kind: K, options: ControllerOptions<K, Owns, Uses, Watches, Manages>): Controller {
  const { name = kind.kind.toLowerCase() } = options;
  const finalizerOf = (of: string): string => `${kind.group === "" ? "core" : kind.group}/${of}`;
  const { fieldManager = name, finalizer = finalizerOf(name), formerNames = [] } = options;
  const fail = (why: string) => new OperatorError("CONFIG_INVALID", `Cannot make controller "${name}": ${why}`);
  if (!/^[^/]+\/[^/]+$/.test(finalizer)) throw fail(`the finalizer "${finalizer}" is not of the form "domain/name"`);
  if (formerNames.some((former) => former === "" || former === fieldManager || finalizerOf(former) === finalizer))
    throw fail("`formerNames` must not be empty or in use: name what it was called before");
  const manages: readonly AnyKind[] = options.manages ?? [];
  const owned = childKinds(options.owns ?? [], fail);
  const owns = owned.map((child) => child.kind);
  const children = [...owned, ...managedKinds(kind, manages)];
  for (const { kind: child, id, cluster } of manages) {
    if (cluster !== kind.cluster) throw fail(`it cannot manage ${child} in another cluster; use \`may\``);
    if (owns.some((other) => other.id === id)) throw fail(`${child} is in \`owns\` and in \`manages\`; choose one`);
  }
  for (const child of owns) {
    if (child.cluster !== kind.cluster) {
      throw fail(`it cannot own ${child.kind} in another cluster: owner references do not cross clusters; use \`may\``);
    }
    if (kind.scope === "Namespaced" && child.scope === "Cluster") {
      throw fail(
        `${kind.kind} is namespaced and cannot own ${child.kind}, which is cluster-scoped; declare it in \`manages\``,
      );
    }
  }
  const { watches = [] } = options;
  const uses = usesOf(options.uses ?? [], watches, [kind, ...owns, ...manages]);
  const mixed = ambiguous(kind, [...owns, ...manages], uses, watches);
  if (mixed !== undefined)
    throw fail(`two selections of ${mixed.kind} are watched; declare in \`uses\` which of them is read`);
  // Here the declared kinds leave the type system; the context of a run checks them at run time.
  const { reconcile, finalize, when } = options as unknown as Pick<Controller, "reconcile" | "finalize" | "when">;
  const formerFinalizers = formerNames.map(finalizerOf);
  const finalizes = finalize !== undefined || manages.length > 0;
  return Object.freeze({
    role: "controller",
    kind,
    name,
    fieldManager,
    when,
    ...selecting({ ...options, finalizes }, [finalizer, ...formerFinalizers], fail),
    owns,
    manages,
    children,
    uses,
    watches,
    sources: options.sources ?? [],
    ...workSettings(name, options),
    finalizer,
    formerNames,
    formerFinalizers,
    whileDeleting: options.whileDeleting ?? false,
    reconcile,
    finalize,
    gone: options.gone,
    finalizes,
  });
}

/** Fields that never change, so that an object cannot leave a selection by them. */
const fixedFields = new Set(["metadata.name", "metadata.namespace"]);

/**
 * What is cached and what of it is reconciled. With a finalizer everything is cached: an object that left the selection, also before this process
 * started, must be found when it is deleted.
 */
function selecting(
  {
    select,
    finalizes,
  }: { readonly select?: Pick<SelectOptions<AnyKind>, "labels" | "fields">; readonly finalizes: boolean },
  finalizers: readonly string[],
  fail: (why: string) => OperatorError,
): Pick<Controller, "selection" | "concerns"> {
  if (select === undefined) return { selection: everything, concerns: undefined };
  const selection = new Selection(select);
  if (!finalizes || (selection.labels === undefined && isFixed(selection))) return { selection, concerns: undefined };
  if (!isFixed(selection))
    throw fail(
      "`finalize` and `manages` need objects that leave `select.fields`; select by labels, or by metadata.name or metadata.namespace",
    );
  const concerns = (object: ReadOf<AnyKind>): boolean => {
    if (selection.shows(object) === true) return true;
    const { deletionTimestamp, finalizers: held = [] } = objectMeta(object);
    return deletionTimestamp !== undefined && held.some((one) => finalizers.includes(one));
  };
  return {
    selection: selection.fields === undefined ? everything : new Selection({ fields: selection.fields }),
    concerns,
  };
}

function isFixed({ fields = "" }: Selection): boolean {
  return parseFieldSelector(fields).requirements.every(({ field }) => fixedFields.has(field));
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
