import { deepEqual, isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";
import type { Schema } from "@kubewright/core/schema";
import type { Transport } from "@kubewright/core/transport";
import { randomValue, seededRandom } from "@kubewright/testing";
import { type CustomResourceDefinition, createClient } from "kubewright";
import { CustomResourceDefinition as Definitions } from "kubewright/k8s/apiextensions/v1";
import type { PublishedDefinition } from "./corpus.js";

/** What a definition and its copy are compared with. */
export interface VerdictOptions {
  readonly seed: number;
  /** Random objects for each served version. */
  readonly objects: number;
  readonly onProgress?: (done: number) => void;
}

/** How much was compared, and where the two answers differ, in words. */
export interface Verdicts {
  readonly accepted: number;
  readonly refused: number;
  readonly differences: readonly string[];
}

/** Where the copies live: the group of each has this behind it. */
const suffix = ".again.example.com";

/**
 * Installs each published definition and the one that was regenerated from it, the latter in a group of its own, and sends both the same
 * random objects: a real server must accept and complete, or refuse, them alike.
 */
export async function sameVerdicts(
  transport: Transport,
  published: readonly PublishedDefinition[],
  regenerated: readonly CustomResourceDefinition[],
  { seed, objects, onProgress }: VerdictOptions,
): Promise<Verdicts> {
  const verdicts = { accepted: 0, refused: 0, differences: [] as string[] };
  let done = 0;
  await inParallel(published.entries(), async ([index, { name, definition }]) => {
    const original = withoutWebhook(definition as unknown as CustomResourceDefinition, "");
    const again = withoutWebhook(regenerated[index] ?? original, suffix);
    const refused = await Promise.all([install(transport, original), install(transport, again)]);
    verdicts.differences.push(
      ...refused.flatMap((why) => (why === undefined ? [] : [`${name} is not installed: ${why}`])),
    );
    if (refused.some((why) => why !== undefined)) return;
    const random = seededRandom(seed + index);
    for (const version of original.spec.versions.filter(({ served }) => served)) {
      for (let count = 0; count < objects; count++) {
        const body = randomBody(version.schema?.openAPIV3Schema ?? {}, random, count % 2 === 0 ? 0 : 0.03);
        const [one, two] = await Promise.all([
          create(transport, original, version.name, body),
          create(transport, again, version.name, body),
        ]);
        if (one.status < 300) verdicts.accepted++;
        else verdicts.refused++;
        if (one.status !== two.status || !deepEqual(one.told, two.told))
          verdicts.differences.push(`${name} ${version.name}: ${JSON.stringify({ body, one, two })}`);
      }
    }
    onProgress?.(++done);
  });
  return verdicts;
}

/** A real server establishes several definitions at a time as fast as one. */
const atOnce = 12;

async function inParallel<T>(items: Iterable<T>, work: (item: T) => Promise<void>): Promise<void> {
  const left = items[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (let next = left.next(); next.done !== true; next = left.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

/** In another group, and converted by nobody: there is no webhook to ask. */
function withoutWebhook(definition: CustomResourceDefinition, behindGroup: string): CustomResourceDefinition {
  const { conversion: _, group, ...spec } = definition.spec;
  const { plural, kind, listKind, singular } = spec.names;
  return {
    ...definition,
    metadata: {
      name: `${plural}.${group}${behindGroup}`,
      ...(definition.metadata.annotations && { annotations: definition.metadata.annotations }),
    },
    // Without short names and categories, of which a real server says whose they are already.
    spec: { ...spec, names: { plural, kind, listKind, singular }, group: `${group}${behindGroup}` },
  };
}

/** Resolves when it is served; gives why it is refused. */
async function install(transport: Transport, definition: CustomResourceDefinition): Promise<string | undefined> {
  const client = createClient(transport);
  const { name } = definition.metadata;
  try {
    const created = await client.create(Definitions, definition as never);
    const from = { fields: { "metadata.name": name }, resourceVersion: created.metadata.resourceVersion };
    for await (const event of await client.watch(Definitions, from)) {
      if (event.type !== "ADDED" && event.type !== "MODIFIED") continue;
      const { conditions = [] } = event.object.status ?? {};
      if (conditions.some(({ type, status }) => type === "Established" && status === "True")) return undefined;
    }
    return "the watch ended";
  } catch (error) {
    return String(error);
  }
}

/** What a client would send as an object of this schema, without its metadata. */
function randomBody(schema: Schema, random: () => number, wrongShare: number): JsonObject {
  const { apiVersion: _, kind: __, metadata: ___, ...properties } = schema.properties ?? {};
  const required = schema.required?.filter((field) => Object.hasOwn(properties, field)) ?? [];
  const value = randomValue({ ...schema, properties, required }, random, { wrongShare });
  return isJsonObject(value) ? value : {};
}

/** The answer of a server, as far as it does not say which group it is about. */
interface Verdict {
  readonly status: number;
  readonly told: JsonValue;
}

async function create(
  transport: Transport,
  { spec }: CustomResourceDefinition,
  version: string,
  body: JsonObject,
): Promise<Verdict> {
  const apiVersion = `${spec.group}/${version}`;
  const place = spec.scope === "Namespaced" ? "/namespaces/default" : "";
  const path = `/apis/${apiVersion}${place}/${spec.names.plural}`;
  const object = { apiVersion, kind: spec.names.kind, metadata: { name: "a" }, ...body };
  for (let attempt = 0; ; attempt++) {
    const answer = await transport.send({ method: "POST", path, query: { dryRun: "All" }, body: object });
    // A definition is established a moment before it is served.
    if (answer.status === 404 && attempt < 200) continue;
    return { status: answer.status, told: answer.status < 300 ? bodyOf(answer.body) : causesOf(answer.body) };
  }
}

function bodyOf(value: unknown): JsonValue {
  const { apiVersion: _, metadata: __, ...body } = value as JsonObject;
  return body;
}

/** Which fields are wrong and in what way. Not in which words: they differ for whole numbers, whose format is told where there is one. */
function causesOf(value: unknown): JsonValue {
  const { details, message } = value as {
    readonly details?: { readonly causes?: readonly { readonly field?: string; readonly reason?: string }[] };
    readonly message?: string;
  };
  const causes = (details?.causes ?? []).map(({ field = "", reason = "" }) => `${field}: ${reason}`).sort();
  return causes.length > 0 ? causes : (message ?? "").replaceAll(suffix, "");
}
