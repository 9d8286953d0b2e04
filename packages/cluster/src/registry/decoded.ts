import type { JsonObject, JsonValue } from "@kubewright/core/json";
import type { Draft, DraftValue } from "./draft.js";

type Scalar = string | number | boolean | null | undefined;

/**
 * A decoded and defaulted object that a write may change: every field has its type, and any field may be absent.
 *
 * Assignable to {@link Draft}.
 */
export type Drafted<T> = T extends JsonObject ? (JsonObject extends T ? Draft : DraftedFields<T>) : DraftedFields<T>;

type DraftedFields<T> = unknown extends T
  ? DraftValue
  : T extends Scalar
    ? Exclude<T, undefined>
    : T extends readonly (infer Item)[]
      ? DraftedFields<Item>[]
      : string extends keyof T
        ? { [key: string]: DraftedFields<T[keyof T]> }
        : { -readonly [Key in keyof T]?: DraftedFields<Exclude<T[Key], undefined>> };

/** A read-only {@link Drafted} object: a stored object, or a draft after preparation. Assignable to `JsonObject`. */
export type Decoded<T> = T extends JsonObject
  ? JsonObject extends T
    ? JsonObject
    : DecodedFields<T>
  : DecodedFields<T>;

type DecodedFields<T> = unknown extends T
  ? JsonValue
  : T extends Scalar
    ? Exclude<T, undefined>
    : T extends readonly (infer Item)[]
      ? readonly DecodedFields<Item>[]
      : string extends keyof T
        ? { readonly [key: string]: DecodedFields<T[keyof T]> }
        : { readonly [Key in keyof T]?: DecodedFields<Exclude<T[Key], undefined>> };
