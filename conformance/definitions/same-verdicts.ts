import { deepEqual, type JsonObject, type JsonValue } from "@kubewright/core/json";
import type { Transport } from "@kubewright/core/transport";
import { seededRandom } from "@kubewright/testing";
import type { CustomResourceDefinition } from "kubewright/crd";
import { inParallel } from "../in-parallel.js";
import type { PublishedDefinition } from "./corpus.js";
import { localDifference } from "./local-difference.js";
import { type DryRun, dryRun, install, randomBody, withoutWebhook } from "./served-definition.js";

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

/** A real server establishes several definitions at a time as fast as one. */
const atOnce = 12;

/** Where the copies live: the group of each has this behind it. */
const suffix = ".again.example.com";

/**
 * Installs each published definition and the one that was regenerated from it, the latter in a group of its own, and sends both the same
 * random objects: a real server must accept and complete, or refuse, them alike. What is checked locally must agree with it too.
 */
export async function sameVerdicts(
  transport: Transport,
  published: readonly PublishedDefinition[],
  regenerated: readonly CustomResourceDefinition[],
  { seed, objects, onProgress }: VerdictOptions,
): Promise<Verdicts> {
  const verdicts = { accepted: 0, refused: 0, differences: [] as string[] };
  let done = 0;
  await inParallel(atOnce, published.entries(), async ([index, { name, definition }]) => {
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
        const schema = version.schema?.openAPIV3Schema ?? {};
        const body = randomBody(schema, random, count % 2 === 0 ? 0 : 0.03);
        const [one, two] = await Promise.all([
          dryRun(transport, original, version.name, body),
          dryRun(transport, again, version.name, body),
        ]);
        if (one.status < 300) verdicts.accepted++;
        else verdicts.refused++;
        const told = [toldBy(one), toldBy(two)] as const;
        if (one.status !== two.status || !deepEqual(...told))
          verdicts.differences.push(`${name} ${version.name}: ${JSON.stringify({ body, told })}`);
        const local = localDifference(version, body, one);
        if (local !== undefined) verdicts.differences.push(`${name} ${version.name}: ${local}`);
      }
    }
    onProgress?.(++done);
  });
  return verdicts;
}

/** The answer of a server, as far as it does not say which group it is about. */
function toldBy({ status, body }: DryRun): JsonValue {
  const { apiVersion: _, metadata: __, ...stored } = body;
  return status < 300 ? stored : causesOf(body);
}

/** Which fields are wrong and in what way. Not in which words: they differ for whole numbers, whose format is told where there is one. */
function causesOf(failure: JsonObject): JsonValue {
  const { details, message } = failure as {
    readonly details?: { readonly causes?: readonly { readonly field?: string; readonly reason?: string }[] };
    readonly message?: string;
  };
  const causes = (details?.causes ?? []).map(({ field = "", reason = "" }) => `${field}: ${reason}`).sort();
  return causes.length > 0 ? causes : (message ?? "").replaceAll(suffix, "");
}
