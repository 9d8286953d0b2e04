import type { KindVersions } from "@kubewright/core/apply";
import { deepEqual, deepFreeze, isJsonObject, type JsonObject } from "@kubewright/core/json";
import { applyDefaults, dropNulls, pruneUnknown, type Schema } from "@kubewright/core/schema";
import { ApiFailure } from "../api-failure.js";
import { type Draft, metadataOf, textAt } from "../draft.js";
import { type ConversionWebhook, InvalidConversion, type ObjectConverter } from "../extensions/index.js";
import type { Resource } from "../resource.js";

/** How custom resources are converted between versions. */
export interface Conversion {
  readonly schemas: Schemas;
  /** Undefined for the strategy None: a conversion sets the apiVersion and prunes. */
  readonly converter: ObjectConverter | ConversionWebhook | undefined;
}

/** The schemas of all versions, by apiVersion. */
export type Schemas = ReadonlyMap<string, Schema | undefined>;

/** Converts between one version of a custom resource and its storage version. */
export function versionConversion(
  apiVersion: string,
  storedVersion: string,
  conversion: Conversion,
): Pick<Resource, "convert" | "fromStored" | "load" | "toStored"> {
  const { schemas, converter } = conversion;
  const cache = new ConvertedObjects(apiVersion, conversion);
  const fromStored = (stored: JsonObject): JsonObject => cache.get(stored);
  const isStored = apiVersion === storedVersion;
  if (!isWebhook(converter))
    return {
      fromStored,
      toStored: (draft) => (isStored ? draft : (converted(draft, storedVersion, { schemas, converter }) as Draft)),
    };
  const convert = async (object: JsonObject, other: string): Promise<JsonObject> => {
    const [result = {}] = await convertedByWebhook([object], other, { schemas, webhook: converter });
    return result;
  };
  return {
    fromStored,
    load: (stored) => cache.load(stored, converter),
    convert,
    toStored: (draft) => (isStored ? draft : convert(draft, storedVersion).then((result) => result as Draft)),
  };
}

/** Converts synchronously, to compare managedFields of other versions. Undefined for a webhook and for the strategy None. */
export function fieldConversion({ schemas, converter }: Conversion): KindVersions["convert"] | undefined {
  if (converter === undefined || isWebhook(converter)) return undefined;
  return (object, _, apiVersion) => converted(object, apiVersion, { schemas, converter });
}

function isWebhook(converter: Conversion["converter"]): converter is ConversionWebhook {
  return typeof converter === "object";
}

/** A cache of stored objects in one version, which holds them as long as they are stored. */
class ConvertedObjects {
  readonly #apiVersion: string;
  readonly #conversion: Conversion;
  readonly #cache = new WeakMap<JsonObject, JsonObject>();
  /** Pending webhook calls for single objects: one call serves all watches of an event. */
  readonly #loading = new WeakMap<JsonObject, Promise<void>>();

  constructor(apiVersion: string, conversion: Conversion) {
    this.#apiVersion = apiVersion;
    this.#conversion = conversion;
  }

  get(stored: JsonObject): JsonObject {
    const known = this.#cache.get(stored);
    if (known) return known;
    const { schemas, converter } = this.#conversion;
    const defaulted = this.#defaulted(stored);
    if (this.#isSameVersion(stored)) return this.#set(stored, defaulted);
    if (isWebhook(converter))
      throw new Error(`Cannot convert a stored object to ${this.#apiVersion}: it must be loaded first`);
    return this.#set(stored, converted(defaulted, this.#apiVersion, { schemas, converter }));
  }

  load(stored: readonly JsonObject[], webhook: ConversionWebhook): Promise<void> | undefined {
    const missing = stored.filter((one) => !this.#cache.has(one) && !this.#isSameVersion(one));
    const [first] = missing;
    if (first === undefined) return undefined;
    // A call for several objects is not shared: it fails if one of them cannot be converted.
    if (missing.length > 1) return this.#call(missing, webhook);
    const loading = this.#loading.get(first) ?? this.#call(missing, webhook).finally(() => this.#loading.delete(first));
    this.#loading.set(first, loading);
    return loading;
  }

  async #call(stored: readonly JsonObject[], webhook: ConversionWebhook): Promise<void> {
    const { schemas } = this.#conversion;
    const defaulted = stored.map((one) => this.#defaulted(one));
    const results = await convertedByWebhook(defaulted, this.#apiVersion, { schemas, webhook });
    for (const [index, one] of stored.entries()) this.#set(one, results[index] ?? {});
  }

  #isSameVersion(stored: JsonObject): boolean {
    return stored["apiVersion"] === this.#apiVersion;
  }

  /** Pruned and defaulted by the schema of its storage version. */
  #defaulted(stored: JsonObject): JsonObject {
    const storedVersion = textAt(stored, "apiVersion");
    const schema = this.#conversion.schemas.get(storedVersion);
    return applyDefaults(asVersion(stored, storedVersion, schema), schema) as JsonObject;
  }

  /** Shares the stored value if the conversion changes nothing, the common case: half the memory. */
  #set(stored: JsonObject, object: JsonObject): JsonObject {
    const given = deepEqual(object, stored) ? stored : (deepFreeze(object) as JsonObject);
    this.#cache.set(stored, given);
    return given;
  }
}

interface InProcess {
  readonly schemas: Schemas;
  readonly converter: ObjectConverter | undefined;
}

/** Converts an object to another version in process, and prunes it. */
function converted(object: JsonObject, apiVersion: string, { schemas, converter }: InProcess): JsonObject {
  const schema = schemas.get(apiVersion);
  if (converter === undefined) return asVersion(object, apiVersion, schema);
  try {
    return asVersion(withOriginalMetadata(converter(object, apiVersion), object), apiVersion, schema);
  } catch (error) {
    throw conversionFailure(object, error);
  }
}

interface ByWebhook {
  readonly schemas: Schemas;
  readonly webhook: ConversionWebhook;
}

/** Converts objects to another version in one webhook call, and prunes them. */
async function convertedByWebhook(
  objects: readonly JsonObject[],
  apiVersion: string,
  { schemas, webhook }: ByWebhook,
): Promise<JsonObject[]> {
  try {
    const results = await webhook.convert(objects, apiVersion);
    if (results.length !== objects.length)
      throw new Error(`returned ${results.length} objects, expected ${objects.length}`);
    const schema = schemas.get(apiVersion);
    return objects.map((object, index) =>
      asVersion(withOriginalMetadata(results[index] ?? {}, object), apiVersion, schema),
    );
  } catch (error) {
    throw conversionFailure(objects[0] ?? {}, error);
  }
}

/** A converted object with the metadata of the original, except labels and annotations. */
function withOriginalMetadata({ metadata, ...rest }: JsonObject, original: JsonObject): JsonObject {
  const { labels, annotations } = isJsonObject(metadata) ? metadata : {};
  const { labels: _, annotations: __, ...kept } = metadataOf(original);
  const whole = { ...kept, ...(labels !== undefined && { labels }), ...(annotations !== undefined && { annotations }) };
  return { ...rest, metadata: whole };
}

function conversionFailure(object: JsonObject, error: unknown): ApiFailure {
  const kind = `${textAt(object, "apiVersion")}, Kind=${textAt(object, "kind")}`;
  const why = error instanceof Error ? error.message : String(error);
  const what = error instanceof InvalidConversion ? why : `failed: ${why}`;
  return new ApiFailure(500, "", `conversion webhook for ${kind} ${what}`);
}

/** Sets the apiVersion, and prunes fields that its schema does not define. */
function asVersion(object: JsonObject, apiVersion: string, schema: Schema | undefined): JsonObject {
  const named = object["apiVersion"] === apiVersion ? object : { ...object, apiVersion };
  return dropNulls(pruneUnknown(named, schema).value, schema) as JsonObject;
}
