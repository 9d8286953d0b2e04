import type { JsonObject } from "@kubewright/core/json";
import { Quantity } from "@kubewright/core/quantity";
import {
  type Amounts,
  addAmounts,
  amountsFrom,
  amountsText,
  type Evaluator,
  evaluatorFor,
  isIgnored,
  isInScopes,
  textsFrom,
} from "../quota/index.js";
import type { Bucket, StoredRecord } from "../storage/index.js";
import { forbidden } from "./api-failure.js";
import { metadataOf, objectAt, textAt } from "./draft.js";
import type { Resource } from "./resource.js";

/** The bucket of quotas. */
export const quotasBucket = "resourcequotas";

/** A write that quotas look at. */
export interface ChargedWrite {
  readonly resource: Resource;
  readonly object: JsonObject;
  /** Undefined for a create. */
  readonly old: JsonObject | undefined;
  /** Empty for the object itself. */
  readonly subresource: string;
}

/** What a quota has used once the write is done. */
export interface Charge {
  readonly record: StoredRecord;
  readonly used: Readonly<Record<string, string>>;
}

/**
 * Checks a write against the quotas of its namespace: throws the refusal, or gives what each has used afterwards. As on a real server it is the
 * quota's status that counts, which a controller writes: a quota that none has looked at limits nothing.
 */
export function chargesOf(quotas: Bucket, write: ChargedWrite, nowMs: number): readonly Charge[] {
  const { resource, object, old, subresource } = write;
  const namespace = textAt(metadataOf(object), "namespace");
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
    return used === undefined ? [] : [{ record, used: textsFrom(used) }];
  });
}

function statusOf(quota: JsonObject, part: "hard" | "used"): Map<string, Quantity> {
  return amountsFrom(objectAt(objectAt(quota, "status"), part));
}

function matches(quota: JsonObject, object: JsonObject, evaluator: Evaluator): boolean {
  const limited = Object.keys(objectAt(objectAt(quota, "status"), "hard"));
  return limited.some((name) => evaluator.tracks(name)) && isInScopes(quota, (scope) => evaluator.isIn(scope, object));
}

/** Whether the object says all that must be counted, and the quota how much there is already. */
function checkCountable(quota: JsonObject, { resource, object }: ChargedWrite, evaluator: Evaluator): void {
  const refuse = (why: string) => forbidden(resource, textAt(metadataOf(object), "name"), why);
  const name = textAt(metadataOf(quota), "name");
  const { hard, used } = { hard: statusOf(quota, "hard"), used: statusOf(quota, "used") };
  const limited = [...hard.keys()].filter((one) => evaluator.tracks(one)).sort();
  const unsaid = evaluator.unsaid(object, limited);
  if (unsaid !== undefined) throw refuse(`failed quota: ${name}: ${unsaid}`);
  if (limited.some((one) => !used.has(one)))
    throw refuse(`status unknown for quota: ${name}, resources: ${limited.join(",")}`);
}

/** What more there is than before; less counts as nothing. */
function growth(now: Amounts, before: Amounts): Amounts {
  const grown = new Map<string, Quantity>();
  for (const [name, amount] of now) {
    const more = amount.subtract(before.get(name) ?? Quantity.of(0));
    if (more.sign > 0) grown.set(name, more);
  }
  return grown;
}

/** What a quota has used once an amount is added; undefined when that changes nothing. Throws when it is too much. */
function usedAfter(quota: JsonObject, added: Amounts, write: ChargedWrite): Amounts | undefined {
  const { resource, object, subresource } = write;
  const { hard, used } = { hard: statusOf(quota, "hard"), used: statusOf(quota, "used") };
  const requested = new Map([...added].filter(([name, amount]) => amount.sign !== 0 && hard.has(name)));
  if (requested.size === 0) return undefined;
  const after = new Map(used);
  addAmounts(after, requested);
  const exceeded = [...requested.keys()].filter((name) => isMore(after.get(name), hard.get(name)));
  if (exceeded.length === 0 || subresource === "status") return after;
  const told = (amounts: Amounts): string =>
    amountsText(new Map([...amounts].filter(([name]) => exceeded.includes(name))));
  throw forbidden(
    resource,
    textAt(metadataOf(object), "name"),
    `exceeded quota: ${textAt(metadataOf(quota), "name")}, requested: ${told(requested)}, used: ${told(used)}, limited: ${told(hard)}`,
  );
}

function isMore(amount: Quantity | undefined, limit: Quantity | undefined): boolean {
  return amount !== undefined && limit !== undefined && amount.compare(limit) > 0;
}
