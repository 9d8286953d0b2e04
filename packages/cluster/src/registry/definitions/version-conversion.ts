import type { KindVersions } from "@kubewright/core/apply";
import { deepEqual, deepFreeze, isJsonObject, type JsonObject } from "@kubewright/core/json";
import { applyDefaults, dropNulls, pruneUnknown, type Schema } from "@kubewright/core/schema";
import { ApiFailure } from "../api-failure.js";
import { type Draft, metadataOf, textAt } from "../draft.js";
import type { ConversionWebhook, ObjectConverter } from "../extensions/index.js";
import type { Resource } from "../resource.js";

/** What it takes to show a custom resource in another version. */
export interface Conversion {
  readonly schemas: Schemas;
  /** Undefined where versions differ in their apiVersion and in the fields that they know. */
  readonly converter: ObjectConverter | ConversionWebhook | undefined;
}

/** The schemas of all versions, by apiVersion. */
export type Schemas = ReadonlyMap<string, Schema | undefined>;

/** How one version of a custom resource is read from the stored one, and stored in it. */
export function versionConversion(
  apiVersion: string,
  storedVersion: string,
  conversion: Conversion,
): Pick<Resource, "convert" | "fromStored" | "load" | "toStored"> {
  const { schemas, converter } = conversion;
  const shown = new ShownObjects(apiVersion, conversion);
  const fromStored = (stored: JsonObject): JsonObject => shown.get(stored);
  const isStored = apiVersion === storedVersion;
  if (!isWebhook(converter))
    return {
      fromStored,
      toStored: (draft) => (isStored ? draft : (converted(draft, storedVersion, { schemas, converter }) as Draft)),
    };
  const convert = async (object: JsonObject, other: string): Promise<JsonObject> => {
    const [made = {}] = await convertedByWebhook([object], other, { schemas, webhook: converter });
    return made;
  };
  return {
    fromStored,
    load: (stored) => shown.load(stored, converter),
    convert,
    toStored: (draft) => (isStored ? draft : convert(draft, storedVersion).then((made) => made as Draft)),
  };
}

/** How managedFields of another version are compared at once. Undefined for a webhook, which is awaited, and where versions are not converted. */
export function fieldConversion({ schemas, converter }: Conversion): KindVersions["convert"] | undefined {
  if (converter === undefined || isWebhook(converter)) return undefined;
  return (object, _, apiVersion) => converted(object, apiVersion, { schemas, converter });
}

function isWebhook(converter: Conversion["converter"]): converter is ConversionWebhook {
  return typeof converter === "object";
}

/** What a version shows of stored objects, for as long as they are stored. */
class ShownObjects {
  readonly #apiVersion: string;
  readonly #conversion: Conversion;
  readonly #shown = new WeakMap<JsonObject, JsonObject>();
  /** Single objects that the webhook converts now: one call serves all watches of an event. */
  readonly #loading = new WeakMap<JsonObject, Promise<void>>();

  constructor(apiVersion: string, conversion: Conversion) {
    this.#apiVersion = apiVersion;
    this.#conversion = conversion;
  }

  get(stored: JsonObject): JsonObject {
    const known = this.#shown.get(stored);
    if (known) return known;
    const { schemas, converter } = this.#conversion;
    const filled = this.#filled(stored);
    if (this.#isOwn(stored)) return this.#keep(stored, filled);
    if (isWebhook(converter))
      throw new Error(`Cannot show a stored object as ${this.#apiVersion}: it must be loaded first`);
    return this.#keep(stored, converted(filled, this.#apiVersion, { schemas, converter }));
  }

  load(stored: readonly JsonObject[], webhook: ConversionWebhook): Promise<void> | undefined {
    const missing = stored.filter((one) => !this.#shown.has(one) && !this.#isOwn(one));
    const [first] = missing;
    if (first === undefined) return undefined;
    // A call for many objects is not shared: it fails where one of them cannot be converted.
    if (missing.length > 1) return this.#call(missing, webhook);
    const loading = this.#loading.get(first) ?? this.#call(missing, webhook).finally(() => this.#loading.delete(first));
    this.#loading.set(first, loading);
    return loading;
  }

  async #call(stored: readonly JsonObject[], webhook: ConversionWebhook): Promise<void> {
    const { schemas } = this.#conversion;
    const filled = stored.map((one) => this.#filled(one));
    const made = await convertedByWebhook(filled, this.#apiVersion, { schemas, webhook });
    for (const [index, one] of stored.entries()) this.#keep(one, made[index] ?? {});
  }

  #isOwn(stored: JsonObject): boolean {
    return stored["apiVersion"] === this.#apiVersion;
  }

  /** Pruned and filled in by the schema of the version in which it is stored. */
  #filled(stored: JsonObject): JsonObject {
    const storedVersion = textAt(stored, "apiVersion");
    const schema = this.#conversion.schemas.get(storedVersion);
    return applyDefaults(asVersion(stored, storedVersion, schema), schema) as JsonObject;
  }

  /** Where nothing was filled in or left out, which is nearly always, one value serves both: half the memory. */
  #keep(stored: JsonObject, object: JsonObject): JsonObject {
    const given = deepEqual(object, stored) ? stored : (deepFreeze(object) as JsonObject);
    this.#shown.set(stored, given);
    return given;
  }
}

interface InProcess {
  readonly schemas: Schemas;
  readonly converter: ObjectConverter | undefined;
}

/** The object in another version, with only the fields that it knows. */
function converted(object: JsonObject, apiVersion: string, { schemas, converter }: InProcess): JsonObject {
  const schema = schemas.get(apiVersion);
  if (converter === undefined) return asVersion(object, apiVersion, schema);
  try {
    return asVersion(withOwnMetadata(converter(object, apiVersion), object), apiVersion, schema);
  } catch (error) {
    throw conversionFailure(object, error);
  }
}

interface ByWebhook {
  readonly schemas: Schemas;
  readonly webhook: ConversionWebhook;
}

/** The same for many objects, in one call to a webhook. */
async function convertedByWebhook(
  objects: readonly JsonObject[],
  apiVersion: string,
  { schemas, webhook }: ByWebhook,
): Promise<JsonObject[]> {
  try {
    const made = await webhook.convert(objects, apiVersion);
    if (made.length !== objects.length) throw new Error(`returned ${made.length} objects, expected ${objects.length}`);
    const schema = schemas.get(apiVersion);
    return objects.map((object, index) => asVersion(withOwnMetadata(made[index] ?? {}, object), apiVersion, schema));
  } catch (error) {
    throw conversionFailure(objects[0] ?? {}, error);
  }
}

/** A converted object with the metadata of its original, but for labels and annotations. */
function withOwnMetadata({ metadata, ...made }: JsonObject, original: JsonObject): JsonObject {
  const { labels, annotations } = isJsonObject(metadata) ? metadata : {};
  const { labels: _, annotations: __, ...kept } = metadataOf(original);
  const whole = { ...kept, ...(labels !== undefined && { labels }), ...(annotations !== undefined && { annotations }) };
  return { ...made, metadata: whole };
}

function conversionFailure(object: JsonObject, error: unknown): ApiFailure {
  const kind = `${textAt(object, "apiVersion")}, Kind=${textAt(object, "kind")}`;
  const why = error instanceof Error ? error.message : String(error);
  return new ApiFailure(500, "", `conversion webhook for ${kind} failed: ${why}`);
}

/** Another apiVersion, and only the fields that it knows. */
function asVersion(object: JsonObject, apiVersion: string, schema: Schema | undefined): JsonObject {
  const named = object["apiVersion"] === apiVersion ? object : { ...object, apiVersion };
  return dropNulls(pruneUnknown(named, schema).value, schema) as JsonObject;
}
