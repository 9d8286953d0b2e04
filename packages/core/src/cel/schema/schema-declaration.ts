import type { JsonValue } from "../../json/index.js";
import type { Schema } from "../../schema/index.js";
import type { StructDecl } from "../check/environment.js";
import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  stringType,
  structType,
  timestampType,
} from "../types/cel-type.js";
import type { CelValue } from "../values/value.js";
import { escapeName, isReservedField } from "./escape-name.js";
import { converterOf, withObjectMeta } from "./schema-value.js";

/** What a schema says of a variable: its type, the object types inside, and how large its parts may be. */
export interface SchemaDeclaration {
  readonly type: CelType;
  readonly structs: ReadonlyMap<string, StructDecl>;
  /** The largest number of elements, characters or entries at a path, or undefined where nothing is known. */
  readonly sizes: (path: readonly string[]) => number | undefined;
  /** How often a value may occur in one request at most, by the smallest JSON that it can be. */
  readonly maxCardinality: number;
  /** Converts what the schema describes. */
  convert(raw: JsonValue): CelValue;
}

/** Options of {@link schemaDeclaration}. */
export interface SchemaDeclarationOptions {
  /** The name of the object type; those inside are named after it. @default "object" */
  readonly name?: string;
  /** Whether the schema is that of a resource, with apiVersion, kind and metadata. @default false */
  readonly isResource?: boolean;
}

const maxRequestBytes = 3 * 1_024 * 1_024;

/** A type, and what is needed for estimates. */
interface Declared {
  readonly type: CelType;
  readonly maxElements: number;
  /** The length of the shortest JSON. */
  readonly minSize: number;
  readonly element?: Declared;
  readonly fields?: ReadonlyMap<string, Declared>;
}

/** The declaration of a variable that a structural schema describes; undefined for schemas that say no type. */
export function schemaDeclaration(
  schema: Schema,
  { name = "object", isResource = false }: SchemaDeclarationOptions = {},
): SchemaDeclaration | undefined {
  const structs = new Map<string, StructDecl>();
  const declared = declare(schema, name, isResource, structs);
  if (declared === undefined) return undefined;
  return {
    type: declared.type,
    structs,
    sizes: (path) => sizeAt(declared, path),
    maxCardinality: Math.trunc(maxRequestBytes / (declared.minSize + 1)),
    convert: converterOf(isResource ? withObjectMeta(schema) : schema),
  };
}

function sizeAt(root: Declared, [, ...path]: readonly string[]): number | undefined {
  let current: Declared | undefined = root;
  for (const part of path) {
    if (part === "@items" || part === "@values") current = current?.element;
    else if (part === "@keys") current = current?.type.kind === "map" ? keyString : undefined;
    else current = current?.fields?.get(part);
  }
  return current?.maxElements;
}

const noLimit = { maxElements: 0 };
/** Keys have no schema. kube-apiserver takes them for empty strings in estimates, although nothing limits them. */
const keyString: Declared = { type: stringType, maxElements: 0, minSize: 2 };

type Structs = Map<string, StructDecl>;

function declare(schema: Schema, name: string, isResource: boolean, structs: Structs): Declared | undefined {
  if (schema["x-kubernetes-int-or-string"] === true) {
    return { type: dynType, maxElements: stringLength(schema), minSize: 1 };
  }
  switch (schema.type) {
    case "array":
      return declareList(schema, name, structs);
    case "object": {
      const { additionalProperties } = schema;
      if (typeof additionalProperties !== "object") {
        return declareObject(isResource ? withObjectMeta(schema) : schema, name, structs);
      }
      const isInner = additionalProperties["x-kubernetes-embedded-resource"] === true;
      const element = declare(additionalProperties, `${name}.@elem`, isInner, structs);
      if (element === undefined) return undefined;
      const fits = Math.trunc((maxRequestBytes - 2) / (element.minSize + 6));
      const maxElements = limit(schema.maxProperties) ?? fits;
      return { type: mapType(stringType, element.type), maxElements, minSize: 2, element };
    }
    case "string":
      return declareString(schema);
    case "boolean":
      return { type: boolType, ...noLimit, minSize: 4 };
    case "number":
      return { type: doubleType, ...noLimit, minSize: 1 };
    case "integer":
      return { type: intType, ...noLimit, minSize: 1 };
    default:
      return undefined;
  }
}

function declareList({ items, maxItems }: Schema, name: string, structs: Structs): Declared | undefined {
  if (items === undefined) return undefined;
  const element = declare(items, `${name}.@idx`, items["x-kubernetes-embedded-resource"] === true, structs);
  if (element === undefined) return undefined;
  const fits = Math.trunc((maxRequestBytes - 2) / (element.minSize + 1));
  return { type: listType(element.type), maxElements: limit(maxItems) ?? fits, minSize: 2, element };
}

function declareObject(schema: Schema, name: string, structs: Structs): Declared {
  const fields = new Map<string, Declared>();
  let minSize = 2;
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    const escaped = escapeName(key);
    const isInner = property["x-kubernetes-embedded-resource"] === true;
    const field = declare(property, `${name}.${escaped ?? key}`, isInner, structs);
    if (field === undefined) continue;
    if (escaped !== undefined) fields.set(escaped, field);
    if (schema.required?.includes(key) && property.default === undefined) {
      minSize += Buffer.byteLength(key) + field.minSize + 4;
    }
  }
  for (const key of Object.keys(schema.properties ?? {})) {
    const field = isReservedField(key) ? fields.get(`__${key}__`) : undefined;
    if (field !== undefined) fields.set(key, field);
  }
  structs.set(name, { fields: new Map([...fields].map(([key, { type }]) => [key, type])) });
  return { type: structType(name), ...noLimit, minSize, fields };
}

function declareString(schema: Schema): Declared {
  switch (schema.format) {
    case "byte":
      return { type: bytesType, maxElements: limit(schema.maxLength) ?? maxRequestBytes - 2, minSize: 2 };
    case "duration":
      return { type: durationType, maxElements: 32, minSize: 3 };
    case "date":
      return { type: timestampType, maxElements: 12, minSize: 12 };
    case "date-time":
      return { type: timestampType, maxElements: 32, minSize: 21 };
    default: {
      const texts = (schema.enum ?? []).filter((value) => typeof value === "string");
      const isEnum = schema.maxLength === undefined && (schema.enum?.length ?? 0) > 0;
      const longest = Math.max(0, ...texts.map((value) => Buffer.byteLength(value)));
      return { type: stringType, maxElements: isEnum ? longest : stringLength(schema), minSize: 2 };
    }
  }
}

/** A character may take four bytes. */
function stringLength({ maxLength }: Schema): number {
  const limited = limit(maxLength);
  return limited === undefined ? maxRequestBytes - 2 : limited * 4;
}

function limit(value: number | undefined): number | undefined {
  return value === undefined ? undefined : Math.max(value, 0);
}
