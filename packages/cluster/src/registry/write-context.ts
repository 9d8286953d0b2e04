import type { Clock } from "@kubewright/core/clock";
import { formatTime } from "@kubewright/core/meta";
import type { RoleAuthorizer, User } from "../access/index.js";
import type { RequestStage } from "../audit/index.js";
import type { Store } from "../storage/index.js";
import type { Admission, SubresourceForm } from "./admission.js";
import type { Extensions } from "./extensions/index.js";
import type { RequestBody } from "./request-body.js";
import type { Resource } from "./resource.js";

/** How unknown and duplicate fields are handled (`fieldValidation`). */
export type FieldValidation = "Strict" | "Warn" | "Ignore";

/** The options of a write, from its query parameters. */
export interface WriteOptions {
  /** Whether to process the write without storing it. */
  readonly dryRun: boolean;
  /** The field manager that owns the fields of the write. */
  readonly manager: string;
  readonly fieldValidation: FieldValidation;
  /** Whether an apply takes over conflicting fields from other field managers. @default false */
  readonly force?: boolean;
  readonly user: User;
  /** Throws a 403 unless the user may create the object that an update or apply would create. @default the user may */
  readonly authorizeCreate?: () => void;
  /** The query parameters of the request: admission sees the options as the client sent them. @default none */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Collects warnings for the client. */
  warn(message: string): void;
  /** Called at each stage of the write. */
  observe?(stage: RequestStage): void;
  /** Adds an annotation to the audit event of the request. */
  readonly annotate?: (key: string, value: string) => void;
}

/** The target of a write. */
export interface WriteTarget {
  /** Empty for cluster-scoped resources. */
  readonly namespace: string;
  /** Empty for a create: the body has the name. */
  readonly name: string;
  /** Empty for the main resource. */
  readonly subresource: string;
}

/** One create, update, patch or apply. */
export interface Write {
  readonly context: WriteContext;
  readonly resource: Resource;
  readonly target: WriteTarget;
  readonly options: WriteOptions;
  /** Set if the object is not what the subresource shows. */
  readonly form?: SubresourceForm;
}

/** A {@link Write} with the body of its request. */
export interface WriteRequest extends Write {
  readonly body: RequestBody;
}

/** The dependencies of the verbs. */
export interface WriteContext {
  readonly store: Store;
  readonly clock: Clock;
  /** Optional extensions of the server. */
  readonly extensions: Extensions;
  /** A random number from 0 (inclusive) to 1 (exclusive). */
  random(): number;
  newUid(): string;
  readonly admission: Admission;
  /** Decides what users may grant. */
  readonly authorizer: RoleAuthorizer;
}

/** The clock's time as a metav1.Time: RFC 3339, whole seconds, UTC. */
export function timestamp(clock: Clock): string {
  return formatTime(clock.now());
}

/** The key of an object in its bucket. */
export function recordKey(namespace: string, name: string): string {
  return namespace === "" ? name : `${namespace}/${name}`;
}
