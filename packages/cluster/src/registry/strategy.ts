import type { JsonObject } from "@kubewright/core/json";
import type { FieldError } from "@kubewright/core/schema";
import type { User } from "../access/index.js";
import type { Store } from "../storage/index.js";
import type { Decoded, Drafted } from "./decoded.js";
import type { Extensions } from "./extensions/index.js";
import type { NameRule } from "./name-rules.js";

/** One column of `kubectl get`. */
export interface Column<T = JsonObject> {
  readonly name: string;
  readonly type: "string" | "integer" | "number" | "boolean" | "date";
  readonly format?: string;
  readonly description?: string;
  /** Columns above 0 are shown by `-o wide` only. */
  readonly priority?: number;
  /** The cell of one object; undefined and null print as `<none>`. `nowMs` is the server's time. */
  cell(object: Decoded<T>, nowMs: number): string | number | boolean | null | undefined;
}

/** The write that a strategy is asked about. */
export interface StrategyContext {
  /** Empty for the object itself. */
  readonly subresource: string;
  /** Now, as objects carry it. */
  readonly time: string;
  readonly dryRun: boolean;
  readonly user: User;
  readonly store: Store;
  readonly extensions: Extensions;
}

/**
 * What a kind decides about its objects: kube-apiserver's `rest.RESTCreateStrategy`, `RESTUpdateStrategy` and `RESTDeleteStrategy`.
 *
 * The members stand in the order in which a write uses them. Functions that take a draft change it in place; all others only read.
 * `T` is the type of the decoded object.
 */
export interface Strategy<T = JsonObject> {
  /** Which names are valid (`ValidateName`). */
  readonly nameRule: NameRule;
  /** Whether an update may leave out the resourceVersion (`AllowUnconditionalUpdate`). */
  readonly allowUnconditionalUpdate: boolean;
  /** Whether an update of an object that does not exist creates it (`AllowCreateOnUpdate`). @default false */
  readonly allowCreateOnUpdate?: boolean;
  /** Whether the kind's functions never change frozen parts of a draft, so that a patch copies only what it changes. @default false */
  readonly leavesFrozen?: boolean;

  /** Applies the defaults of the kind, on every write (`SetDefaults`). */
  applyDefaults?(draft: Drafted<T>): void;
  /** Which fields a write owns. */
  readonly fields?: OwnedFields;

  /** Sets and clears fields that a client may not choose, in a new object (`PrepareForCreate`). */
  prepareForCreate?(draft: Drafted<T>, context: StrategyContext): void;
  /** The same in an update (`PrepareForUpdate`). */
  prepareForUpdate?(draft: Drafted<T>, old: Decoded<T>, context: StrategyContext): void;
  /** Whether an update counts as a new `metadata.generation`; kinds without it have no generation. */
  isNewGeneration?(object: Decoded<T>, old: Decoded<T>): boolean;

  /** What violates the rules of the kind; `old` is undefined for a new object (`Validate`, `ValidateUpdate`). */
  validate?(object: Decoded<T>, old: Decoded<T> | undefined, context: StrategyContext): FieldError[];
  /** Warnings about a valid write to the object (`WarningsOnCreate`, `WarningsOnUpdate`). */
  warn?(object: Decoded<T>, old: Decoded<T> | undefined): readonly string[];
  /** Warnings about a valid write to the status (`WarningsOnUpdate` of the status strategy). */
  warnStatus?(object: Decoded<T>): readonly string[];
  /** Brings a valid object into the form in which it is stored (`Canonicalize`). */
  canonicalize?(draft: Drafted<T>): void;

  readonly deletion?: DeletionStrategy<T>;
  readonly table: TableConvertor<T>;
  /** Fields that a field selector may name, beside `metadata.name` and `metadata.namespace` (`ToSelectableFields`). */
  readonly selectableFields?: Readonly<Record<string, (object: Decoded<T>) => string>>;
}

/** Which fields a write owns, beside those that it changes (`GetResetFields`). */
export interface OwnedFields {
  /** Fields, beside the status, that a write to the object does not change. */
  readonly reset?: readonly (readonly string[])[];
  /** Fields of the metadata that a write to the status does not change. */
  readonly resetOnStatus?: readonly (readonly string[])[];
  /** Subresources on which a write owns all that it sends, also what the kind ignores. */
  readonly ownAllOn?: readonly string[];
  /** What a new object of the kind holds before anything is set: creating one does not own these structures. */
  readonly empty?: JsonObject;
}

/** How objects of a kind are deleted (`RESTGracefulDeleteStrategy`, `GarbageCollectionDeleteStrategy`). */
export interface DeletionStrategy<T = JsonObject> {
  /** The grace period for a delete that asks for `asked` seconds; kinds without it are deleted at once (`CheckGracefulDelete`). */
  graceSeconds?(object: Decoded<T>, asked: number | undefined): number;
  /** Whether the object has reasons, beside finalizers, to stay while it is being deleted. */
  isHeld?(object: Decoded<T>): boolean;
  /** Marks an object whose deletion begins, for example by a phase. */
  mark?(draft: Drafted<T>, time: string): void;
  /** Whether a delete responds with the deleted object instead of a Status (`ReturnDeletedObject`). @default false */
  readonly returnsObject?: boolean;
  /** The warning for a delete that does not set the propagation policy. */
  readonly warning?: string;
  /** The propagation policy of a delete that sets none (`DefaultGarbageCollectionPolicy`). @default "Background" */
  readonly defaultPropagation?: "Orphan";
}

/** How objects of a kind are shown as a Table (`TableConvertor`). */
export interface TableConvertor<T = JsonObject> {
  /** Every column, the name included. */
  readonly columns: readonly Column<T>[];
  /** Conditions of a whole row, for example that the object is completed. */
  rowConditions?(object: Decoded<T>): readonly JsonObject[];
}
