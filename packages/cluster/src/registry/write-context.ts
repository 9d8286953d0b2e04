import type { Clock } from "@kubewright/core/clock";
import type { JsonValue } from "@kubewright/core/json";
import { formatTime } from "@kubewright/core/meta";
import type { Store } from "../storage/index.js";
import type { Extensions } from "./extensions/index.js";
import type { ChargedWrite } from "./quota-admission.js";

/** How strictly unknown fields are taken. */
export type FieldValidation = "Strict" | "Warn" | "Ignore";

/** A body that is no JSON, or no YAML. */
export interface MalformedBody {
  readonly format: "json" | "yaml" | "protobuf" | "unsupported";
  readonly text: string;
  /** In the words of a real server's decoder, as far as they are known. */
  readonly why: string;
}

/** A body in which fields stood twice, of which only the last can be in its value. */
export interface RepeatedFields {
  /** The value with objects that stood twice laid over each other, as built-in kinds are decoded. */
  readonly merged: JsonValue;
}

/** What a write asks for, beside the object. */
export interface WriteOptions {
  /** Everything happens, nothing is stored. */
  readonly dryRun: boolean;
  /** Who owns the fields that the write sets. */
  readonly manager: string;
  readonly fieldValidation: FieldValidation;
  /** Fields that stood twice in one object of the body, which are told like unknown ones. */
  readonly duplicateFields?: readonly string[] | undefined;
  /** A body of JSON as it was sent; undefined where it came as a value. */
  readonly sentText?: string | undefined;
  /** Only where fields stood twice. */
  readonly repeated?: RepeatedFields | undefined;
  /** The same for a body of YAML, as its reader tells them: `line 7: key "k" already set in map`. */
  readonly duplicateKeys?: readonly string[] | undefined;
  /** A body that could not be read. */
  readonly malformed?: MalformedBody | undefined;
  /** Whether the request had no body at all. */
  readonly isEmpty?: boolean;
  /** Collects warnings for the client. */
  warn(text: string): void;
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
  /** Throws the refusal that the client gets when nothing may be created in a namespace. */
  admitNew(
    namespace: string,
    subject: { readonly group: string; readonly plural: string; readonly kind: string },
    name: string,
  ): void;
  /**
   * Throws the refusal where a quota would be exceeded; else gives what charges the quotas, to be called just before the write, or undefined
   * where none is to be charged.
   */
  admitQuota(write: ChargedWrite): (() => void) | undefined;
}

/** The clock's time as objects carry it: RFC 3339, whole seconds, UTC. */
export function timestamp(clock: Clock): string {
  return formatTime(clock.now());
}

/** Where an object lies in its bucket. */
export function recordKey(namespace: string, name: string): string {
  return namespace === "" ? name : `${namespace}/${name}`;
}
