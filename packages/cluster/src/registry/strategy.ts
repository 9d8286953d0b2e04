import type { JsonObject } from "@kubewright/core/json";
import type { FieldError } from "@kubewright/core/schema";
import type { RoleAuthorizer, User } from "../access/index.js";
import type { Store } from "../storage/index.js";
import type { Decoded, Drafted } from "./decoded.js";
import type { Extensions } from "./extensions/index.js";
import type { NameRule } from "./name-rules.js";

/** One printer column of `kubectl get`; `T` is the type of the object. */
export type Column<T = JsonObject> = ColumnOf<Decoded<T>>;

/** {@link Column} by the type that its cell reads. */
export interface ColumnOf<Read> {
  readonly name: string;
  readonly type: "string" | "integer" | "number" | "boolean" | "date";
  readonly format?: string;
  readonly description?: string;
  /** Columns above 0 are shown only by `-o wide`. */
  readonly priority?: number;
  /** The cell of one object; undefined and null print as `<none>`. `nowMs` is the server's time. */
  cell(object: Read, nowMs: number): string | number | bigint | boolean | null | undefined;
}

/** The write for which a strategy is called. */
export interface StrategyContext {
  /** Empty for the main resource. */
  readonly subresource: string;
  /** The current time as an RFC 3339 timestamp. */
  readonly time: string;
  readonly dryRun: boolean;
  readonly user: User;
  /** Empty for cluster-scoped resources. */
  readonly namespace: string;
  /** The name in the path of the request; empty for a create. */
  readonly name: string;
  readonly authorizer: RoleAuthorizer;
  readonly store: Store;
  readonly extensions: Extensions;
  /** Collects warnings for the client. */
  warn(message: string): void;
}

/** The write whose object a strategy validates. */
export interface ValidationContext extends StrategyContext {
  /** The errors of the metadata, which are validated first. */
  readonly metadataErrors: readonly FieldError[];
}

/**
 * The behaviour that is specific to a kind: kube-apiserver's `rest.RESTCreateStrategy`, `RESTUpdateStrategy` and `RESTDeleteStrategy`.
 *
 * The members are in the order in which a write uses them. Functions that take a draft change it in place; all others only read.
 * `T` is the type of the object.
 */
export type Strategy<T = JsonObject> = StrategyOf<Decoded<T>, Drafted<T>>;

/** {@link Strategy} by the types that its functions read and write. Lets TypeScript assign every `Strategy<T>` to `Strategy`. */
interface StrategyOf<Read, Write> {
  /** Which names are valid (`ValidateName`). */
  readonly nameRule: NameRule;
  /** Whether an update may omit the resourceVersion (`AllowUnconditionalUpdate`). */
  readonly allowUnconditionalUpdate: boolean;
  /** Whether an update of an object that does not exist creates it (`AllowCreateOnUpdate`). @default false */
  readonly allowCreateOnUpdate?: boolean;
  /** Whether the kind's functions never change frozen parts of a draft, so that a patch copies only what it changes. @default false */
  readonly leavesFrozen?: boolean;

  /** Applies the defaults of the kind, on every write (`SetDefaults`). */
  applyDefaults?(draft: Write): void;
  /** Which fields a write owns. */
  readonly fields?: OwnedFields;

  /**
   * Rejects a write by which its user would grant permissions, after mutating admission. `old` is undefined for a create. Throws the rejection.
   */
  authorize?(object: Read, old: Read | undefined, context: StrategyContext): void;

  /** Sets and clears fields of a new object that a client may not set (`PrepareForCreate`). */
  prepareForCreate?(draft: Write, context: StrategyContext): void;
  /** Sets and clears fields of an update that a client may not set (`PrepareForUpdate`). */
  prepareForUpdate?(draft: Write, old: Read, context: StrategyContext): void;
  /** Whether an update increments `metadata.generation`; kinds without this function have no generation. */
  isNewGeneration?(object: Read, old: Read): boolean;

  /** Validates a write; `old` is undefined for a create (`Validate`, `ValidateUpdate`). */
  validate?(object: Read, old: Read | undefined, context: ValidationContext): FieldError[];
  /** Warnings about a valid write to the object (`WarningsOnCreate`, `WarningsOnUpdate`). */
  warn?(object: Read, old: Read | undefined): readonly string[];
  /** Warnings about a valid write to the status (`WarningsOnUpdate` of the status strategy). */
  warnStatus?(object: Read): readonly string[];
  /** Normalizes an object before it is validated and stored (`Canonicalize`). */
  canonicalize?(draft: Write): void;

  readonly deletion?: DeletionOf<Read, Write>;
  readonly table: TableOf<Read>;
  /** Fields that a field selector may use, besides `metadata.name` and `metadata.namespace` (`ToSelectableFields`). */
  readonly selectableFields?: Readonly<Record<string, (object: Read) => string>>;
  /** The message about a field that a field selector may not use. @default that of most kinds */
  readonly unknownFieldLabel?: (label: string) => string;
}

/** Exceptions to the rule that a write owns the fields that it sets (`GetResetFields`). */
export interface OwnedFields {
  /** Fields, besides the status, that a write to the main resource resets. */
  readonly reset?: readonly (readonly string[])[];
  /** Metadata fields that a write to the status subresource resets. */
  readonly resetOnStatus?: readonly (readonly string[])[];
  /** Subresources on which a write owns every field that it sends, even those that the kind ignores. */
  readonly ownAllOn?: readonly string[];
  /** The empty object of the kind, in Go's encoding. A create does not own these structs. */
  readonly empty?: JsonObject;
}

/** How objects of a kind are deleted (`RESTGracefulDeleteStrategy`, `GarbageCollectionDeleteStrategy`). */
interface DeletionOf<Read, Write> {
  /** The grace period of a delete; kinds without this function are deleted immediately (`CheckGracefulDelete`). */
  graceSeconds?(object: Read, requested: number | undefined): number;
  /** Whether something besides finalizers holds the object while it is terminating. */
  isHeld?(object: Read): boolean;
  /** Updates an object when its deletion starts, for example its phase. */
  mark?(draft: Write, time: string): void;
  /** Whether a delete responds with the deleted object instead of a Status (`ReturnDeletedObject`). @default false */
  readonly returnsObject?: boolean;
  /** The warning of a delete that sets no propagation policy. */
  readonly warning?: string;
  /** The propagation policy of a delete that sets none (`DefaultGarbageCollectionPolicy`). @default "Background" */
  readonly defaultPropagation?: "Orphan";
}

/** The Table of a kind (`TableConvertor`). */
interface TableOf<Read> {
  /** Every column, the name included. */
  readonly columns: readonly ColumnOf<Read>[];
  /** Conditions of a table row, for example `Completed`. */
  rowConditions?(object: Read): readonly JsonObject[];
}
