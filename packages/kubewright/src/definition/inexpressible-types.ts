import { definitionOf, type ZodDefinition } from "./zod-definition.js";

/** Why a zod type has no structural schema, and what to use instead. */
export interface Inexpressible {
  /** The part that a CRD cannot express. */
  readonly what: string;
  readonly hint: string;
}

const transform: Inexpressible = {
  what: "transform()",
  hint: "a server stores values unchanged: transform in the controller, or default in a webhook",
};

const byType: Readonly<Record<string, Inexpressible>> = {
  bigint: { what: "z.bigint() and z.int64()", hint: "small integers are read as numbers: use k.int64()" },
  catch: { what: "catch()", hint: "a server rejects invalid values and does not replace them: use default()" },
  custom: {
    what: "z.custom() and z.instanceof()",
    hint: "a server cannot run JavaScript: use a type that JSON has, and a CEL rule in `rules`",
  },
  date: { what: "z.date()", hint: "use z.iso.datetime(): objects are plain JSON" },
  function: { what: "z.function()", hint: "objects are plain JSON: keep functions in the controller" },
  lazy: {
    what: "z.lazy()",
    hint: "a structural schema is not recursive: use z.unknown() for the inner levels",
  },
  map: { what: "z.map()", hint: "objects are plain JSON: use z.record(z.string(), ...)" },
  nan: { what: "z.nan()", hint: "JSON has no NaN: use z.number()" },
  never: { what: "z.never()", hint: "leave the field out: a server prunes unknown fields" },
  nonoptional: { what: "nonoptional()", hint: "a field is required unless it is optional() or has a default()" },
  null: {
    what: "z.null()",
    hint: "a field has a type and can be nullable: use .nullable() of that type, or leave the field out",
  },
  promise: { what: "z.promise()", hint: "objects are plain JSON: use the schema of the resolved value" },
  set: {
    what: "z.set()",
    hint: 'objects are plain JSON: use z.array(...).meta({ "x-kubernetes-list-type": "set" })',
  },
  symbol: { what: "z.symbol()", hint: "objects are plain JSON: use z.string() or z.enum([...])" },
  template_literal: { what: "z.templateLiteral()", hint: "use z.string().regex() with a pattern that Go understands" },
  transform,
  tuple: {
    what: "z.tuple()",
    hint: "all items of a list have one schema: use z.object() with a field per item, or z.array(...).length(n)",
  },
  undefined: { what: "z.undefined()", hint: "leave the field out, or make it optional()" },
  void: { what: "z.void()", hint: "leave the field out, or make it optional()" },
};

/** Explains a zod type that a CRD cannot express. */
export function whyInexpressible(definition: ZodDefinition): Inexpressible {
  if (definition.type === "pipe") return whyPipe(definition);
  return byType[definition.type] ?? { what: `z.${definition.type}()`, hint: "use a type that JSON has" };
}

/** zod makes a pipe of `transform()` and `preprocess()` too. */
function whyPipe({ in: first, out: second }: ZodDefinition): Inexpressible {
  if ([first, second].some((side) => side !== undefined && definitionOf(side).type === "transform")) return transform;
  return {
    what: "pipe() and codecs",
    hint: "a server validates the stored value only: use the schema of that value, without the pipe",
  };
}
