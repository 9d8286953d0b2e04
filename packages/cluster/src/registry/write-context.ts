import type { Clock } from "@kubewright/core/clock";
import { formatTime } from "@kubewright/core/meta";
import type { User } from "../access/index.js";
import type { RequestStage } from "../audit/index.js";
import type { Store } from "../storage/index.js";
import type { Admission } from "./admission.js";
import type { Extensions } from "./extensions/index.js";
import type { RequestBody } from "./request-body.js";
import type { Resource } from "./resource.js";

/** What happens to unknown and duplicate fields. */
export type FieldValidation = "Strict" | "Warn" | "Ignore";

/** What the query of a write asks for. */
export interface WriteOptions {
  /** Everything happens, nothing is stored. */
  readonly dryRun: boolean;
  /** The field manager that comes to own the fields of the write. */
  readonly manager: string;
  readonly fieldValidation: FieldValidation;
  /** Whether an apply takes fields over from other field managers. @default false */
  readonly force?: boolean;
  readonly user: User;
  /** Collects warnings for the client. */
  warn(text: string): void;
  /** Hears of each stage of the write. */
  observe?(stage: RequestStage): void;
}

/** The object that a write is for. */
export interface WriteTarget {
  /** Empty for cluster-scoped resources. */
  readonly namespace: string;
  /** Empty for a create, whose body names the object. */
  readonly name: string;
  /** Empty for the object itself. */
  readonly subresource: string;
}

/** One create, update, patch or apply. */
export interface Write {
  readonly context: WriteContext;
  readonly resource: Resource;
  readonly target: WriteTarget;
  readonly options: WriteOptions;
}

/** A {@link Write} with the body of its request. */
export interface WriteRequest extends Write {
  readonly body: RequestBody;
}

/** What the verbs work with. */
export interface WriteContext {
  readonly store: Store;
  readonly clock: Clock;
  /** What was added to the server. */
  readonly extensions: Extensions;
  /** A number from 0 up to 1. */
  random(): number;
  /** A new uid. */
  newUid(): string;
  readonly admission: Admission;
}

/** The clock's time as objects carry it: RFC 3339, whole seconds, UTC. */
export function timestamp(clock: Clock): string {
  return formatTime(clock.now());
}

/** The key of an object in its bucket. */
export function recordKey(namespace: string, name: string): string {
  return namespace === "" ? name : `${namespace}/${name}`;
}
