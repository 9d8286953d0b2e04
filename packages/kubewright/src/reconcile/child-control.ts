import { OperatorError } from "@kubewright/core/errors";
import { formatKey, keyOf, type ObjectMeta, type OwnerReference, parseApiVersion } from "@kubewright/core/identity";
import { controllerOf } from "@kubewright/core/meta";

/**
 * How an existing object relates to an owner.
 *
 * `own`: the owner controls it. `stripped`: this controller made it, and its controller reference was removed. `former`: this controller made it for an
 * owner of the same kind and name with another uid. `uncontrolled`: another client made it, and it has no controller. `foreign`: another owner
 * controls it.
 */
export type ChildControl = "own" | "stripped" | "former" | "uncontrolled" | "foreign";

/** What `adopt` of `apply` takes: `true` an object without a controller and an orphaned one, `"orphaned"` only the latter. */
export type AdoptOption = boolean | "orphaned";

/** Relates an existing object to an owner; `managers` are the field managers of the owner's controller. */
export function controlOf(child: ObjectMeta, owner: OwnerReference, managers: readonly string[]): ChildControl {
  const current = controllerOf({ metadata: child });
  if (current?.uid === owner.uid) return "own";
  const isMade = isMadeBy(child, managers);
  if (current === undefined) return isMade ? "stripped" : "uncontrolled";
  const isSameName = current.kind === owner.kind && current.name === owner.name && groupOf(current) === groupOf(owner);
  return isMade && isSameName ? "former" : "foreign";
}

/** How an owner marks the objects that it manages. */
export interface OwnerMark {
  readonly label: string;
  readonly uid: string;
  readonly annotation: string;
  /** The owner's key. */
  readonly owner: string;
}

/** As {@link controlOf}, for an object that names its owner by label and annotation. One that lost the label and has the annotation is repaired. */
export function managedControlOf(child: ObjectMeta, mark: OwnerMark, managers: readonly string[]): ChildControl {
  if (controllerOf({ metadata: child }) !== undefined) return "foreign";
  const uid = child.labels?.[mark.label];
  if (uid === mark.uid) return "own";
  const isMade = isMadeBy(child, managers);
  const isNamed = child.annotations?.[mark.annotation] === mark.owner;
  if (uid === undefined) return isMade ? (isNamed ? "own" : "stripped") : "uncontrolled";
  return isMade && isNamed ? "former" : "foreign";
}

/** The error of an object that its owner does not manage. */
export function notManaged(
  what: { readonly verb: string; readonly kind: string },
  child: ObjectMeta,
  mark: OwnerMark,
  control: ChildControl,
): OperatorError {
  const current = controllerOf({ metadata: child });
  const by =
    current === undefined
      ? `it belongs to "${child.annotations?.[mark.annotation]}" (uid ${child.labels?.[mark.label]})`
      : `it is controlled by ${current.kind} "${current.name}" (uid ${current.uid})`;
  const why = {
    own: "",
    stripped: `its label ${mark.label} was removed; apply with { adopt: "orphaned" } to restore it`,
    former: `${by}, an earlier one of the same name; apply with { adopt: "orphaned" } to take it over`,
    uncontrolled: "it exists and no owner manages it; apply with { adopt: true } to take it over",
    foreign: `${by}; use another name, or delete it`,
  }[control];
  const name = formatKey(keyOf({ metadata: child }));
  return new OperatorError(
    "NOT_CONTROLLED",
    `Cannot ${what.verb} ${what.kind} "${name}" (uid ${child.uid}) for "${mark.owner}" (uid ${mark.uid}): ${why}`,
  );
}

/** Whether one of these field managers wrote to an object. */
export function isMadeBy({ managedFields = [] }: ObjectMeta, managers: readonly string[]): boolean {
  return managedFields.some(({ manager = "" }) => managers.includes(manager));
}

/** Whether `adopt` takes an object over. */
export function isAdoptable(control: ChildControl, adopt: AdoptOption): boolean {
  if (control === "uncontrolled") return adopt === true;
  return control === "own" || (adopt !== false && control !== "foreign");
}

/** The error of an object that its owner does not control: names it, the present controller, and the remedy. */
export function notControlled(
  what: { readonly verb: string; readonly kind: string },
  child: ObjectMeta,
  owner: OwnerReference,
  control: ChildControl,
): OperatorError {
  const current = controllerOf({ metadata: child });
  const by = current === undefined ? "" : `it is controlled by ${current.kind} "${current.name}" (uid ${current.uid})`;
  const why = {
    own: "",
    stripped: `its controller reference was removed; apply with { adopt: "orphaned" } to restore it`,
    former: `${by}, an earlier one of the same name; apply with { adopt: "orphaned" } to take it over`,
    uncontrolled: "it exists and no owner controls it; apply with { adopt: true } to take it over",
    foreign: `${by}; use another name, or delete it`,
  }[control];
  const name = formatKey(keyOf({ metadata: child }));
  return new OperatorError(
    "NOT_CONTROLLED",
    `Cannot ${what.verb} ${what.kind} "${name}" (uid ${child.uid}) for ${owner.kind} "${owner.name}" (uid ${owner.uid}): ${why}`,
  );
}

function groupOf({ apiVersion }: OwnerReference): string {
  return parseApiVersion(apiVersion)?.group ?? apiVersion;
}
