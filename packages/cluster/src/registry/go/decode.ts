import { setOwn } from "@kubewright/core/json";
import { keywordOf, type Schema, structureOf } from "@kubewright/core/schema";
import { structNameOf } from "../builtin-api.js";
import { type Draft, type DraftValue, isDraft } from "../draft.js";
import { isStoredPart } from "../stored-part.js";
import { type Decoder, decoderOf, type Field, isOfType } from "./decoder.js";
import { decodeBytes, decodeQuantity, jsonTypeOf, roundedQuantity } from "./scalars.js";

/** The result of decoding a built-in object. */
export interface Decoded {
  /** Paths of unknown fields, in the order of the object: `spec.containers[0].nmae`. */
  readonly unknownFields: readonly string[];
  /** The first type error, as Go's decoder reports it; undefined if there is none. */
  readonly typeError: string | undefined;
}

/**
 * Decodes an object in place, as Go's JSON decoder decodes it into a struct.
 *
 * Drops unknown fields, nulls, and empty lists and maps; canonicalizes quantities, times and bytes. Skips frozen parts: they come from a
 * stored object and are already decoded.
 */
export function decodeBuiltin(draft: Draft, schema: Schema): Decoded {
  const decoding = new Decoding(structNameOf(schema) ?? "");
  decoding.decodeObject(draft, decoderOf(schema));
  return decoding;
}

/** The name of a field, the key of a map entry, or the index of a list item. */
type Step = Field | string | number;

class Decoding implements Decoded {
  readonly unknownFields: string[] = [];
  /** The innermost struct around the current value. */
  #struct: string;
  readonly #path: Step[] = [];
  #firstMismatch: string | undefined;
  /** An error of a custom unmarshaler stops decoding: it is reported before others. */
  #firstFatal: string | undefined;

  constructor(struct: string) {
    this.#struct = struct;
  }

  get typeError(): string | undefined {
    return this.#firstFatal ?? this.#firstMismatch;
  }

  decodeObject(draft: Draft, decoder: Decoder): void {
    const { fields } = decoder;
    const entries = decoder.entries();
    if (fields === undefined && entries === undefined) return;
    const outer = this.#struct;
    this.#struct = decoder.struct ?? outer;
    for (const key in draft) {
      const value = draft[key] ?? null;
      const field = fields?.get(key);
      this.#path.push(field ?? key);
      if (field !== undefined) this.#decodeField(draft, field, value);
      else if (entries !== undefined) this.#decodeEntry(draft, key, entries);
      else {
        this.unknownFields.push(formatPath(this.#path));
        delete draft[key];
      }
      this.#path.pop();
    }
    this.#struct = outer;
  }

  #decodeField(draft: Draft, field: Field, value: DraftValue): void {
    if (value === null) {
      delete draft[field.name];
      return;
    }
    const decoder = field.decoder();
    const decoded = this.#decodeValue(value, decoder);
    if (typeof decoded === "object" && !field.isKept && isEmpty(decoded, decoder)) delete draft[field.name];
    else if (decoded !== value) draft[field.name] = decoded;
  }

  #decodeEntry(draft: Draft, key: string, decoder: Decoder): void {
    const value = draft[key] ?? null;
    if (value !== null) {
      const decoded = this.#decodeValue(value, decoder);
      const kept = this.#isRounded(decoded, decoder) ? roundedQuantity(String(decoded)) : decoded;
      if (kept !== value) setOwn(draft, key, kept);
      return;
    }
    // In a map a null is the zero value of its type.
    const zero = zeroOf(decoder.schema);
    if (zero === undefined) delete draft[key];
    else draft[key] = zero;
  }

  /** Defaulting rounds resource lists up to milli-units, except the overhead of a RuntimeClass. */
  #isRounded(value: DraftValue, { scalar }: Decoder): boolean {
    return (
      scalar === decodeQuantity &&
      /[un]$|e-/i.test(String(value)) &&
      !this.#path.some((step) => typeof step === "object" && step.name === "podFixed")
    );
  }

  /** The value itself, decoded in place, or the canonical form of a scalar. */
  #decodeValue(value: DraftValue, decoder: Decoder): DraftValue {
    if (decoder.scalar !== undefined) {
      const scalar = decoder.scalar(value);
      if (scalar.kind === "accepted") return scalar.value;
      this.#firstFatal ??= scalar.why.replace("Go value of type", `${this.#place()} of type`);
      return value;
    }
    if (decoder.inner !== undefined) {
      this.#decodeCustom(value, decoder.inner());
      return value;
    }
    if (!isOfType(value, decoder) && !(decoder.isBytes && Array.isArray(value))) {
      const type = typeName(decoder.schema);
      this.#firstMismatch ??= this.#mismatch(jsonTypeOf(value, type), type);
      return value;
    }
    if (decoder.isBytes) return this.#decodeBytes(value);
    // A float64 field, for example a bound of a schema.
    if (typeof value === "bigint" && decoder.type === "number") return Number(value);
    if (typeof value !== "object" || value === null || isStoredPart(value)) return value;
    if (Array.isArray(value)) this.#decodeList(value, decoder);
    else this.decodeObject(value, decoder);
    return value;
  }

  /** Decodes an object or a list of objects in a type with a custom unmarshaler, which ignores unknown fields. */
  #decodeCustom(value: DraftValue, inner: Decoder): void {
    const own = new Decoding(this.#struct);
    own.#path.push(...this.#path);
    for (const item of Array.isArray(value) ? value : [value]) if (isDraft(item)) own.decodeObject(item, inner);
    this.#firstFatal ??= own.typeError;
  }

  #decodeList(list: DraftValue[], decoder: Decoder): void {
    const items = decoder.items();
    if (items === undefined) return;
    for (let index = 0; index < list.length; index++) {
      const item = list[index] ?? null;
      // In a list a null is the zero value of the item.
      if (item === null) {
        if (items.type === "string") list[index] = "";
        else if (items.fields !== undefined) list[index] = {};
        continue;
      }
      this.#path.push(index);
      const decoded = this.#decodeValue(item, items);
      if (decoded !== item) list[index] = decoded;
      this.#path.pop();
    }
  }

  /** Bytes are a base64 string or a list of numbers. */
  #decodeBytes(value: DraftValue): DraftValue {
    if (Array.isArray(value)) {
      const isByte = (item: DraftValue): boolean => Number.isInteger(item) && Number(item) >= 0 && Number(item) < 256;
      const wrong = value.find((item) => item !== null && !isByte(item));
      if (wrong !== undefined) this.#firstMismatch ??= this.#mismatch(jsonTypeOf(wrong, "int"), "uint8");
      return Buffer.from(value.map(Number)).toString("base64");
    }
    const scalar = decodeBytes(typeof value === "string" ? value : "");
    if (scalar.kind === "accepted") return scalar.value;
    this.#firstMismatch ??= scalar.why;
    return value;
  }

  #mismatch(kind: string, type: string): string {
    return `json: cannot unmarshal ${kind} into ${this.#place()} of type ${type}`;
  }

  /** Go's errors name the struct and the path without indexes and map keys: `Go struct field Container.spec.containers.name`. */
  #place(): string {
    const names = this.#path.flatMap((step) => (typeof step === "object" ? [step.name] : []));
    return `Go struct field ${this.#struct}.${names.join(".")}`;
  }
}

function formatPath(steps: readonly Step[]): string {
  let path = "";
  for (const step of steps)
    if (typeof step === "number") path += `[${step}]`;
    else path += `${path === "" ? "" : "."}${typeof step === "object" ? step.name : step}`;
  return path;
}

function isEmpty(value: DraftValue, decoder: Decoder): boolean {
  // A field without a type holds any JSON, even an empty list.
  if (Array.isArray(value)) return value.length === 0 && decoder.type !== undefined;
  return decoder.isMap && isDraft(value) && Object.keys(value).length === 0;
}

/** The Go type of a schema, as far as the schema shows it: a named string type is a string. */
function typeName(schema: Schema): string {
  const structure = structureOf(schema);
  const struct = structure && structNameOf(structure);
  if (structure?.type === "object" && struct !== undefined) return `v1.${struct}`;
  const format = keywordOf(schema, "format");
  switch (keywordOf(schema, "type")) {
    case "string":
      return format === "byte" ? "[]uint8" : "string";
    case "boolean":
      return "bool";
    case "integer":
      return format ?? "int64";
    case "number":
      return "float64";
    case "array":
      return `[]${structure?.items === undefined ? "interface {}" : typeName(structure.items)}`;
    default: {
      const entries = structure?.additionalProperties;
      return `map[string]${typeof entries === "object" ? typeName(entries) : "interface {}"}`;
    }
  }
}

function zeroOf(schema: Schema): string | undefined {
  const structure = structureOf(schema);
  if (structure && structNameOf(structure) === "Quantity") return "0";
  return keywordOf(schema, "type") === "string" ? "" : undefined;
}
