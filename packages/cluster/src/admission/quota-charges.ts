import type { JsonObject } from "@kubewright/core/json";
import { Quantity } from "@kubewright/core/quantity";
import {
  addResources,
  type Evaluator,
  evaluatorFor,
  formatResourceList,
  isIgnored,
  matchesScopes,
  parseResourceList,
  type ResourceList,
  resourceListString,
} from "../quota/index.js";
import { type AdmissionRequest, forbidden, metadataOf, objectAt, textAt } from "../registry/index.js";
import type { Bucket, StoredRecord } from "../storage/index.js";

/** The bucket of ResourceQuotas. */
export const quotasBucket = "resourcequotas";

/** The part of a write that ResourceQuota evaluates. */
export type ChargedWrite = Pick<AdmissionRequest, "resource" | "subresource" | "namespace" | "name" | "object" | "old">;

/** The usage of a quota after the write. */
export interface Charge {
  readonly record: StoredRecord;
  readonly used: Readonly<Record<string, string>>;
}

/**
 * Checks a write against the quotas of its namespace. Throws the rejection, or returns the new usage of each quota.
 *
 * As in kube-apiserver, `status.hard` counts, which a controller writes: a quota without a status limits nothing.
 */
export function chargesOf(quotas: Bucket, write: ChargedWrite, nowMs: number): readonly Charge[] {
  const { resource, object, old, subresource, namespace } = write;
  if (quotas.size === 0 || namespace === "" || isIgnored(resource.bucket)) return [];
  const records = quotas.list(`${namespace}/`);
  if (records.length === 0) return [];
  const evaluator = evaluatorFor(resource.bucket);
  if (old !== undefined && !evaluator.chargesChange(object, old, subresource)) return [];
  const concerned = records.filter((record) => matches(record.object, object, evaluator));
  for (const { object: quota } of concerned) checkCountable(quota, write, evaluator);
  if (concerned.length === 0) return [];
  const usage = evaluator.usage(object, nowMs);
  const grown = old && growth(usage, evaluator.usage(old, nowMs));
  return concerned.flatMap((record) => {
    const added = grown !== undefined && old && matches(record.object, old, evaluator) ? grown : usage;
    const used = usedAfter(record.object, added, write);
    return used === undefined ? [] : [{ record, used: formatResourceList(used) }];
  });
}

function statusOf(quota: JsonObject, part: "hard" | "used"): Map<string, Quantity> {
  return parseResourceList(objectAt(objectAt(quota, "status"), part));
}

function matches(quota: JsonObject, object: JsonObject, evaluator: Evaluator): boolean {
  const limited = Object.keys(objectAt(objectAt(quota, "status"), "hard"));
  return (
    limited.some((name) => evaluator.tracks(name)) &&
    matchesScopes(quota, (scope) => evaluator.matchesScope(scope, object))
  );
}

/** Rejects an object that does not set a limited resource, and a write before the controller has written the quota's usage. */
function checkCountable(quota: JsonObject, write: ChargedWrite, evaluator: Evaluator): void {
  const { resource, object } = write;
  const reject = (why: string) => forbidden(resource, write.name, why);
  const name = textAt(metadataOf(quota), "name");
  const { hard, used } = { hard: statusOf(quota, "hard"), used: statusOf(quota, "used") };
  const limited = [...hard.keys()].filter((one) => evaluator.tracks(one)).sort();
  const missingResources = evaluator.missingResources(object, limited);
  if (missingResources !== undefined) throw reject(`failed quota: ${name}: ${missingResources}`);
  if (limited.some((one) => !used.has(one)))
    throw reject(`status unknown for quota: ${name}, resources: ${limited.join(",")}`);
}

/** By how much the usage grows; a decrease counts as zero. */
function growth(now: ResourceList, before: ResourceList): ResourceList {
  const grown = new Map<string, Quantity>();
  for (const [name, amount] of now) {
    const more = amount.subtract(before.get(name) ?? Quantity.of(0));
    if (more.sign > 0) grown.set(name, more);
  }
  return grown;
}

/** The usage after a quantity is added; undefined where it does not change. Throws the rejection of a write that exceeds the quota. */
function usedAfter(quota: JsonObject, added: ResourceList, write: ChargedWrite): ResourceList | undefined {
  const { resource, name, subresource } = write;
  const { hard, used } = { hard: statusOf(quota, "hard"), used: statusOf(quota, "used") };
  const requested = new Map([...added].filter(([limited, amount]) => amount.sign !== 0 && hard.has(limited)));
  if (requested.size === 0) return undefined;
  const after = new Map(used);
  addResources(after, requested);
  const exceeded = [...requested.keys()].filter((one) => isMore(after.get(one), hard.get(one)));
  if (exceeded.length === 0 || subresource === "status") return after;
  const shown = (amounts: ResourceList): string =>
    resourceListString(new Map([...amounts].filter(([one]) => exceeded.includes(one))));
  throw forbidden(
    resource,
    name,
    `exceeded quota: ${textAt(metadataOf(quota), "name")}, requested: ${shown(requested)}, used: ${shown(used)}, limited: ${shown(hard)}`,
  );
}

function isMore(amount: Quantity | undefined, limit: Quantity | undefined): boolean {
  return amount !== undefined && limit !== undefined && amount.compare(limit) > 0;
}
