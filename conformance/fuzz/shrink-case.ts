import type { Case, RequestStep, Step } from "../test-case.js";
import { type BothClients, type CaseVerdict, compareCase } from "./compare-case.js";
import { placesOf, withValueAt } from "./mutate.js";

/**
 * A smaller case with the same difference: removes unneeded steps, then fields of the bodies. Makes at most `attempts` attempts, each in a
 * new namespace.
 */
export async function shrinkCase(clients: BothClients, found: CaseVerdict, attempts = 120): Promise<CaseVerdict> {
  let best = found;
  let left = attempts;
  let tried = 0;
  const attempt = async (steps: readonly Step[]): Promise<boolean> => {
    if (left-- <= 0) return false;
    const verdict = await compareCase(clients, { name: `${found.one.name} shrunk ${++tried}`, steps });
    if (!verdict.unexplained || signature(verdict) !== signature(found)) return false;
    best = verdict;
    return true;
  };
  await attempt(found.one.steps.slice(0, found.compared));
  for (let size = Math.ceil(best.one.steps.length / 2); size >= 1; size = Math.floor(size / 2))
    for (let from = best.one.steps.length - 1 - size; from >= 0; from -= size)
      await attempt(best.one.steps.filter((step, index) => isSetUp(step) || index < from || index >= from + size));
  for (let index = best.one.steps.length - 1; index >= 0; index--) await shrinkBody(() => best.one, index, attempt);
  return best;
}

/** Steps that are not compared set up what the others need. */
function isSetUp(step: Step): boolean {
  return step.kind === "request" && step.silent === true;
}

async function shrinkBody(
  best: () => Case,
  index: number,
  attempt: (steps: readonly Step[]) => Promise<boolean>,
): Promise<void> {
  const step = best().steps[index];
  if (step?.kind !== "request" || step.body === undefined || isSetUp(step)) return;
  // Last to first: removing a list element does not move those before it.
  for (const place of placesOf(step.body).reverse()) {
    const now = best().steps[index] as RequestStep;
    if (now.body === undefined || ["apiVersion", "kind", "metadata.name"].includes(place.join("."))) continue;
    const smaller = withValueAt(now.body, place, undefined);
    if (JSON.stringify(smaller) === JSON.stringify(now.body)) continue;
    await attempt(best().steps.map((one, at) => (at === index ? { ...now, body: smaller } : one)));
  }
}

/** Identifies a kind of difference: the path without indexes, and both statuses or the start of both strings. */
export function signature({ unexplained }: CaseVerdict): string {
  if (!unexplained) return "";
  const place = unexplained.at.replace(/^\d+ ?/, "").replace(/\[\d+\]/g, "[]");
  return `${place} ${outline(unexplained.recorded)} | ${outline(unexplained.given)}`;
}

function outline(value: unknown): string {
  if (typeof value === "object" && value !== null && "status" in value) {
    const body = "body" in value && typeof value.body === "object" && value.body !== null ? value.body : {};
    const message = "message" in body ? String(body.message) : "";
    return `${value.status} ${plain(message)}`;
  }
  if (typeof value === "string") return plain(value);
  return Array.isArray(value) ? "list" : typeof value;
}

function plain(text: string): string {
  return text
    .replace(/"(?:[^"\\]|\\.)*"/g, '""')
    .replace(/\d+/g, "0")
    .slice(0, 90);
}
