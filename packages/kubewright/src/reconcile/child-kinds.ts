import { OperatorError } from "@kubewright/core/errors";
import { formatKey, type ObjectKey } from "@kubewright/core/identity";
import { parseLabelSelector } from "@kubewright/core/selector";
import { type AnyRead, everything, Selection } from "../cache/index.js";
import { objectMeta } from "../client/index.js";
import type { AnyKind, ReadOf } from "../definition/index.js";
import { ownerLabel } from "../route/index.js";

/** A kind of children, and which of its objects are cached. */
export interface ChildKind {
  readonly kind: AnyKind;
  readonly selection: Selection;
  /** How children name their owner: by an ownerReference, or, for managed objects, by a label and an annotation. */
  readonly by: "reference" | "label";
  /** The labels that the selection requires with one value: each child gets them. */
  readonly labels: Readonly<Record<string, string>>;
}

/** The kinds of children that `owns` declares. Each kind has one selection. */
export function childKinds(owns: readonly AnyRead[], fail: (why: string) => OperatorError): readonly ChildKind[] {
  const byId = new Map<string, ChildKind>();
  for (const owned of owns) {
    const { kind, selection } = "role" in owned ? owned : { kind: owned as AnyKind, selection: everything };
    const known = byId.get(kind.id);
    if (known !== undefined && known.selection !== selection)
      throw fail(`it declares ${kind.kind} twice in \`owns\`; a kind of children has one selection`);
    byId.set(kind.id, { kind, selection, by: "reference", labels: requiredLabels(selection) });
  }
  return [...byId.values()];
}

/** The index of managed objects by the uid of their owner. */
export const managedIndex = "kubewright/managed-owner";

/** The kinds of objects that `manages` declares. Only objects with the label of an owner of this kind are cached. */
export function managedKinds(owner: AnyKind, manages: readonly AnyKind[]): readonly ChildKind[] {
  if (manages.length === 0) return [];
  const label = ownerLabel(owner);
  const uidOf = (object: unknown): string | undefined => objectMeta(object).labels?.[label];
  const selection = new Selection({ labels: label }, { [managedIndex]: uidOf });
  return manages.map((kind) => ({ kind, selection, by: "label", labels: {} }));
}

/** Identifies a child among all children of a controller. */
export function childId(kind: AnyKind, key: ObjectKey): string {
  return `${kind.id} ${formatKey(key)}`;
}

/** The declaration of a kind of children. */
export function childKindOf(
  { children }: { readonly children: readonly ChildKind[] },
  { id }: AnyKind,
): ChildKind | undefined {
  return children.find(({ kind }) => kind.id === id);
}

/** Throws CONFIG_INVALID where the selection excludes a child: it would not be cached, so that its changes reconciled no owner. */
export function mustSelect(verb: string, { kind, selection }: ChildKind, key: ObjectKey, child: object): void {
  if (selection.shows(child as ReadOf<AnyKind>) !== false) return;
  const selectors = [
    ...(selection.labels === undefined ? [] : [`labels "${selection.labels}"`]),
    ...(selection.fields === undefined ? [] : [`fields "${selection.fields}"`]),
  ].join(" and ");
  const { labels = {} } = objectMeta(child);
  const own = Object.entries(labels).map(([name, value]) => `${name}=${value}`);
  const has = own.length === 0 ? "it has no labels" : `its labels are "${own.join(",")}"`;
  throw new OperatorError(
    "CONFIG_INVALID",
    `Cannot ${verb} ${kind.kind} "${formatKey(key)}": \`owns\` selects only objects with ${selectors}, and ${has}; another one would not be watched`,
  );
}

function requiredLabels({ labels = "" }: Selection): Readonly<Record<string, string>> {
  const required: Record<string, string> = {};
  for (const { key, operator, values } of parseLabelSelector(labels).requirements) {
    const [value, ...others] = values;
    if (value !== undefined && others.length === 0 && ["=", "==", "in"].includes(operator)) required[key] = value;
  }
  return required;
}
