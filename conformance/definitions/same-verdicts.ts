import { deepEqual, isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";
import type { Transport } from "@kubewright/core/transport";
import { seededRandom } from "@kubewright/testing";
import type { CustomResourceDefinition } from "kubewright/crd";
import { inParallel } from "../in-parallel.js";
import type { PublishedDefinition } from "./corpus.js";
import { localDifference } from "./local-difference.js";
import {
  create,
  dryRunCreate,
  dryRunUpdate,
  install,
  type Response,
  randomBody,
  withoutWebhook,
} from "./served-definition.js";

/** Options of `sameVerdicts`. */
export interface VerdictOptions {
  readonly seed: number;
  /** Random objects for each served version. */
  readonly objects: number;
  readonly onProgress?: (done: number) => void;
}

/** Counts of compared responses, and descriptions of those that differ. */
export interface Verdicts {
  readonly accepted: number;
  readonly rejected: number;
  readonly updates: number;
  readonly differences: readonly string[];
}

/** A real server establishes several CRDs concurrently as fast as one. */
const concurrency = 12;

/** Appended to the API group of the regenerated CRDs. */
const suffix = ".again.example.com";

/**
 * Installs each published CRD and its regenerated copy, the latter in another API group, and sends both the same random objects: a real
 * server must accept and default, or reject, them alike. Local validation must agree with it, also for updates of the first accepted object, which
 * transition rules compare.
 */
export async function sameVerdicts(
  transport: Transport,
  published: readonly PublishedDefinition[],
  regenerated: readonly CustomResourceDefinition[],
  { seed, objects, onProgress }: VerdictOptions,
): Promise<Verdicts> {
  const verdicts = { accepted: 0, rejected: 0, updates: 0, differences: [] as string[] };
  let done = 0;
  await inParallel(concurrency, published.entries(), async ([index, { name, definition }]) => {
    const original = withoutWebhook(definition as unknown as CustomResourceDefinition, "");
    const again = withoutWebhook(regenerated[index] ?? original, suffix);
    const rejected = await Promise.all([install(transport, original), install(transport, again)]);
    verdicts.differences.push(
      ...rejected.flatMap((why) => (why === undefined ? [] : [`${name} is not installed: ${why}`])),
    );
    if (rejected.some((why) => why !== undefined)) return;
    const random = seededRandom(seed + index);
    for (const version of original.spec.versions.filter(({ served }) => served)) {
      let stored: JsonObject | undefined;
      for (let count = 0; count < objects; count++) {
        const schema = version.schema?.openAPIV3Schema ?? {};
        const body = randomBody(schema, random, count % 2 === 0 ? 0 : 0.03);
        const object = { version: version.name, name: "a", body };
        const [one, two] = await Promise.all([
          dryRunCreate(transport, { ...object, definition: original }),
          dryRunCreate(transport, { ...object, definition: again }),
        ]);
        if (one.status < 300) verdicts.accepted++;
        else verdicts.rejected++;
        const responses = [comparedResponse(one), comparedResponse(two)] as const;
        if (one.status !== two.status || !deepEqual(...responses))
          verdicts.differences.push(`${name} ${version.name}: ${JSON.stringify({ body, responses })}`);
        const local = localDifference(version, object, one);
        if (local !== undefined) verdicts.differences.push(`${name} ${version.name}: ${local}`);
        const existing = { definition: original, version: version.name, name: `stored-${version.name}` };
        if (stored === undefined) {
          if (one.status < 300) stored = (await create(transport, { ...existing, body })).body;
          continue;
        }
        for (const changed of [body, partlyChanged(stored, body, random)]) {
          const update = { ...existing, resourceVersion: resourceVersionOf(stored), body: changed };
          verdicts.updates++;
          const difference = localDifference(version, update, await dryRunUpdate(transport, update), stored);
          if (difference !== undefined) verdicts.differences.push(`${name} ${version.name}, update: ${difference}`);
        }
      }
    }
    onProgress?.(++done);
  });
  return verdicts;
}

function resourceVersionOf({ metadata }: JsonObject): string | undefined {
  return isJsonObject(metadata) ? String(metadata["resourceVersion"]) : undefined;
}

/** The spec with some fields of another one: transition rules compare the others with themselves. */
function partlyChanged(stored: JsonObject, { spec: other }: JsonObject, random: () => number): JsonObject {
  const { apiVersion: _, kind: __, metadata: ___, status: ____, ...body } = stored;
  if (!isJsonObject(body["spec"]) || !isJsonObject(other)) return body;
  const changes = Object.entries(other).filter(() => random() < 0.3);
  return { ...body, spec: { ...body["spec"], ...Object.fromEntries(changes) } };
}

/** The response without what names its API group. */
function comparedResponse({ status, body }: Response): JsonValue {
  const { apiVersion: _, metadata: __, ...stored } = body;
  return status < 300 ? stored : causesOf(body);
}

/** Fields and reasons of a rejection. Messages are not compared: those of integers name the format if there is one. */
function causesOf(failure: JsonObject): JsonValue {
  const { details, message } = failure as {
    readonly details?: { readonly causes?: readonly { readonly field?: string; readonly reason?: string }[] };
    readonly message?: string;
  };
  const causes = (details?.causes ?? []).map(({ field = "", reason = "" }) => `${field}: ${reason}`).sort();
  return causes.length > 0 ? causes : (message ?? "").replaceAll(suffix, "");
}
