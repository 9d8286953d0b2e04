import type { z } from "zod";

/** A zod schema of any type. */
export type AnySchema = z.core.$ZodType;
/** A zod object schema. */
export type AnyObjectSchema = z.core.$ZodObject;
/** The schema of a status: a zod object schema, also nullable or with a default, or `z.unknown()`. */
export type AnyStatusSchema =
  | z.core.$ZodUnknown
  | MaybeNull
  | z.core.$ZodDefault<MaybeNull>
  | z.core.$ZodPrefault<MaybeNull>;
type MaybeNull = AnyObjectSchema | z.core.$ZodNullable<AnyObjectSchema>;

/**
 * The part of a zod 4 definition that is read here. Zod publishes these as a stable interface for tools; walking them, instead of
 * `z.toJSONSchema`, finds what that function drops silently: refinements, transforms, regular expression flags.
 */
export interface ZodDefinition {
  readonly type: string;
  readonly checks?: readonly ZodCheck[];
  readonly format?: string;
  readonly shape?: Readonly<Record<string, AnySchema>>;
  readonly catchall?: AnySchema;
  readonly element?: AnySchema;
  readonly keyType?: AnySchema;
  readonly valueType?: AnySchema;
  readonly entries?: Readonly<Record<string, string | number>>;
  readonly values?: readonly unknown[];
  readonly innerType?: AnySchema;
  readonly defaultValue?: unknown;
  readonly options?: readonly AnySchema[];
  readonly discriminator?: string;
  /** Whether `z.coerce` made it. */
  readonly coerce?: boolean;
  /** The two sides of a pipe. */
  readonly in?: AnySchema;
  readonly out?: AnySchema;
  readonly left?: AnySchema;
  readonly right?: AnySchema;
}

/** One check of a zod schema: a length, a bound, a pattern, or a JavaScript function. */
export interface ZodCheck {
  readonly _zod: {
    readonly def: {
      readonly check: string;
      readonly minimum?: number;
      readonly maximum?: number;
      readonly length?: number;
      readonly value?: number | bigint;
      readonly inclusive?: boolean;
      readonly format?: string;
      readonly pattern?: RegExp;
    };
  };
}

/** The definition behind a zod schema. */
export function definitionOf(schema: AnySchema): ZodDefinition {
  return schema._zod.def as unknown as ZodDefinition;
}

/** The description from `.describe()` or `.meta({ description })`. */
export function descriptionOf(schema: AnySchema): string | undefined {
  const description = "description" in schema ? schema.description : undefined;
  return typeof description === "string" ? description : undefined;
}
