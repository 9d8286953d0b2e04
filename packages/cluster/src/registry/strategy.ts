import type { JsonObject } from "@kubewright/core/json";
import type { FieldError } from "@kubewright/core/schema";
import type { User } from "../access/index.js";
import type { Store } from "../storage/index.js";
import type { Decoded, Drafted } from "./decoded.js";
import type { Extensions } from "./extensions/index.js";
import type { NameRule } from "./name-rules.js";

/** One column of `kubectl get`; `T` is the type of the object. */
export type Column<T = JsonObject> = ColumnOf<Decoded<T>>;

/** {@link Column} by the type that its cell reads. */
export interface ColumnOf<Read> {
  readonly name: string;
  readonly type: "string" | "integer" | "number" | "boolean" | "date";
  readonly format?: string;
  readonly description?: string;
  /** Columns above 0 are shown by `-o wide` only. */
  readonly priority?: number;
  /** The cell of one object; undefined and null print as `<none>`. `nowMs` is the server's time. */
  cell(object: Read, nowMs: number): string | number | boolean | null | undefined;
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
 * `T` is the type of the object.
 */
export type Strategy<T = JsonObject> = StrategyOf<Decoded<T>, Drafted<T>>;

/** {@link Strategy} by the types that its functions read and write: only so does TypeScript see that every `Strategy<T>` is a `Strategy`. */
interface StrategyOf<Read, Write> {
  /** Which names are valid (`ValidateName`). */
  readonly nameRule: NameRule;
  /** Whether an update may leave out the resourceVersion (`AllowUnconditionalUpdate`). */
  readonly allowUnconditionalUpdate: boolean;
  /** Whether an update of an object that does not exist creates it (`AllowCreateOnUpdate`). @default false */
  readonly allowCreateOnUpdate?: boolean;
  /** Whether the kind's functions never change frozen parts of a draft, so that a patch copies only what it changes. @default false */
  readonly leavesFrozen?: boolean;

  /** Applies the defaults of the kind, on every write (`SetDefaults`). */
  applyDefaults?(draft: Write): void;
  /** Which fields a write owns. */
  readonly fields?: OwnedFields;

  /** Sets and clears fields that a client may not choose, in a new object (`PrepareForCreate`). */
  prepareForCreate?(draft: Write, context: StrategyContext): void;
  /** The same in an update (`PrepareForUpdate`). */
  prepareForUpdate?(draft: Write, old: Read, context: StrategyContext): void;
  /** Whether an update counts as a new `metadata.generation`; kinds without it have no generation. */
  isNewGeneration?(object: Read, old: Read): boolean;

  /** What violates the rules of the kind; `old` is undefined for a new object (`Validate`, `ValidateUpdate`). */
  validate?(object: Read, old: Read | undefined, context: StrategyContext): FieldError[];
  /** Warnings about a valid write to the object (`WarningsOnCreate`, `WarningsOnUpdate`). */
  warn?(object: Read, old: Read | undefined): readonly string[];
  /** Warnings about a valid write to the status (`WarningsOnUpdate` of the status strategy). */
  warnStatus?(object: Read): readonly string[];
  /** Brings a valid object into the form in which it is stored (`Canonicalize`). */
  canonicalize?(draft: Write): void;

  readonly deletion?: DeletionOf<Read, Write>;
  readonly table: TableOf<Read>;
  /** Fields that a field selector may name, beside `metadata.name` and `metadata.namespace` (`ToSelectableFields`). */
  readonly selectableFields?: Readonly<Record<string, (object: Read) => string>>;
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
interface DeletionOf<Read, Write> {
  /** The grace period for a delete that asks for `asked` seconds; kinds without it are deleted at once (`CheckGracefulDelete`). */
  graceSeconds?(object: Read, asked: number | undefined): number;
  /** Whether the object has reasons, beside finalizers, to stay while it is being deleted. */
  isHeld?(object: Read): boolean;
  /** Marks an object whose deletion begins, for example by a phase. */
  mark?(draft: Write, time: string): void;
  /** Whether a delete responds with the deleted object instead of a Status (`ReturnDeletedObject`). @default false */
  readonly returnsObject?: boolean;
  /** The warning for a delete that does not set the propagation policy. */
  readonly warning?: string;
  /** The propagation policy of a delete that sets none (`DefaultGarbageCollectionPolicy`). @default "Background" */
  readonly defaultPropagation?: "Orphan";
}

/** How objects of a kind are shown as a Table (`TableConvertor`). */
interface TableOf<Read> {
  /** Every column, the name included. */
  readonly columns: readonly ColumnOf<Read>[];
  /** Conditions of a whole row, for example that the object is completed. */
  rowConditions?(object: Read): readonly JsonObject[];
}
