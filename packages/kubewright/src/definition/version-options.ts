import type { z } from "zod";
import type { KindTypes, ReadMeta } from "./kind.js";
import type { WithKstatus } from "./kstatus-conditions.js";
import type { AnyObjectSchema, AnyStatusSchema } from "./zod-definition.js";

/** The definition of one version of a kind. */
export interface VersionOptions {
  /** The desired state. */
  readonly spec?: AnyObjectSchema;
  /** The observed state. Enables the status subresource. */
  readonly status?: AnyStatusSchema;
  /** Whether a status without its required fields is rejected. @default false: controllers write status fields one by one */
  readonly strictStatus?: boolean;
  /** Fields at the root of the object, for kinds without `spec`. */
  readonly fields?: AnyObjectSchema;
  /** Condition types and their reasons. Adds `status.conditions` and `status.observedGeneration`. */
  readonly conditions?: ConditionReasons;
  /**
   * Keeps the conditions of kstatus, which `kubectl wait`, Argo CD and Flux read, from the outcome of each run: `Reconciling` and `Stalled` exist without being
   * declared, and `Ready` is False with reason `ReconcileFailed` when a run throws without having set it. @default false
   */
  readonly kstatus?: boolean;
  /** CEL validation rules on the object's root, evaluated by the API server. */
  readonly rules?: readonly ValidationRule[];
  /** Additional printer columns of `kubectl get`. */
  readonly printerColumns?: readonly PrinterColumn[];
  /** Enables the scale subresource, for `kubectl scale` and HorizontalPodAutoscalers. */
  readonly scale?: ScalePaths;
  /** Fields for field selectors, as paths such as `.spec.color`. At most eight. */
  readonly selectableFields?: readonly string[];
  /** Whether the API server serves this version. @default true */
  readonly served?: boolean;
  /** Whether objects are stored in this version. @default true for the hub */
  readonly storage?: boolean;
  /** Warns clients that use this version; a string replaces the server's own warning. */
  readonly deprecated?: boolean | string;
}

/** The paths of the scale subresource, such as `.spec.replicas`. */
export interface ScalePaths {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
}

/** Condition types, each with its possible reasons. */
export type ConditionReasons = Readonly<Record<string, readonly string[]>>;

/** A CEL validation rule, with the API server's message when it fails. */
export interface ValidationRule {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: "FieldValueInvalid" | "FieldValueForbidden" | "FieldValueRequired" | "FieldValueDuplicate";
  readonly fieldPath?: string;
}

/** A printer column of `kubectl get`. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: "string" | "integer" | "number" | "boolean" | "date";
  readonly jsonPath: string;
  readonly description?: string;
  readonly format?: string;
  /** Columns above zero are shown only with `-o wide`. @default 0 */
  readonly priority?: number;
}

/** A condition as it is stored. */
export interface Condition<Type extends string = string, Reason extends string = string> {
  type: Type;
  status: "True" | "False" | "Unknown";
  reason: Reason;
  message: string;
  lastTransitionTime: string;
  observedGeneration?: number;
}

/** The static types of one version of a kind. */
export interface VersionTypes<ApiVersion extends string, KindName extends string, V extends VersionOptions>
  extends KindTypes {
  readonly read: Flat<
    { apiVersion: ApiVersion; kind: KindName; metadata: ReadMeta } & Body<V, "output"> & StatusPart<V>
  >;
  readonly write: Flat<Body<V, "input">>;
  readonly status: StatusDraft<V>;
  readonly conditions: ConditionsMap<V>;
}

/** The argument and result of conversion functions: the object without the fields that the framework copies. */
export type VersionBody<V extends VersionOptions> = Flat<Body<V, "output">>;

type Body<V extends VersionOptions, Direction extends "input" | "output"> = FieldsPart<V, Direction> &
  SpecPart<V, Direction>;

type FieldsPart<V extends VersionOptions, Direction extends "input" | "output"> = V extends {
  fields: infer F extends AnyObjectSchema;
}
  ? SideOf<F, Direction>
  : unknown;

type SpecPart<V extends VersionOptions, Direction extends "input" | "output"> = V extends {
  spec: infer S extends AnyObjectSchema;
}
  ? Direction extends "output"
    ? { spec: SideOf<S, "output"> }
    : object extends SideOf<S, "input">
      ? { spec?: SideOf<S, "input"> }
      : { spec: SideOf<S, "input"> }
  : unknown;

type SideOf<S extends AnyObjectSchema, Direction extends "input" | "output"> = Direction extends "input"
  ? z.input<S>
  : z.output<S>;

type StatusPart<V extends VersionOptions> = HasStatus<V> extends true ? { status?: Flat<StatusFields<V>> } : unknown;

/** Every field may be missing, and may be removed by setting it to undefined. */
type StatusDraft<V extends VersionOptions> =
  HasStatus<V> extends true ? { [K in keyof StatusFields<V>]?: StatusFields<V>[K] | undefined } : never;

type HasStatus<V extends VersionOptions> = V extends
  | { status: AnyStatusSchema }
  | { conditions: ConditionReasons }
  | { kstatus: true }
  ? true
  : false;

type StatusFields<V extends VersionOptions> = (V extends { status: infer S extends AnyStatusSchema }
  ? NonNullable<z.output<S>>
  : unknown) &
  (AllConditions<V> extends never
    ? unknown
    : { conditions?: ConditionIn<AllConditions<V>>[]; observedGeneration?: number });

type ConditionIn<C extends ConditionReasons> = { [T in keyof C & string]: Condition<T, C[T][number]> }[keyof C &
  string];

type ConditionsMap<V extends VersionOptions> =
  AllConditions<V> extends infer C extends ConditionReasons ? { readonly [T in keyof C]: C[T][number] } : never;

/** The declared conditions, and those of `kstatus`. */
type AllConditions<V extends VersionOptions> = V extends { kstatus: true }
  ? WithKstatus<V extends { conditions: infer C extends ConditionReasons } ? C : unknown>
  : V extends { conditions: infer C extends ConditionReasons }
    ? C
    : never;

/** Makes editors show an intersection as one object type. */
type Flat<T> = { [K in keyof T]: T[K] };
