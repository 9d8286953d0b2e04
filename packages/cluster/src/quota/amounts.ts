import { Quantity } from "@kubewright/core/quantity";

/** How much of each resource, by its name in a quota. */
export type Amounts = ReadonlyMap<string, Quantity>;

/** One of something. */
export const one: Quantity = Quantity.of(1);

/** Amounts as an object has them. */
export function amountsFrom(texts: Readonly<Record<string, unknown>> | undefined): Map<string, Quantity> {
  return new Map(Object.entries(texts ?? {}).map(([name, text]) => [name, Quantity.parse(String(text))]));
}

/** Amounts as an object has them, in the order of their names. */
export function textsFrom(amounts: Amounts): Record<string, string> {
  return Object.fromEntries(sorted(amounts).map(([name, amount]) => [name, amount.toString()]));
}

/** As a refusal tells them: `cpu=1,pods=2`. */
export function amountsText(amounts: Amounts): string {
  return sorted(amounts)
    .map(([name, amount]) => `${name}=${amount}`)
    .join(",");
}

/** Adds to a sum. */
export function addAmounts(sum: Map<string, Quantity>, amounts: Amounts): void {
  for (const [name, amount] of amounts) sum.set(name, sum.get(name)?.add(amount) ?? amount);
}

/** Whether both have the same names, and as much of each. */
export function sameAmounts(a: Amounts, b: Amounts): boolean {
  return a.size === b.size && [...a].every(([name, amount]) => b.get(name)?.equals(amount) === true);
}

function sorted(amounts: Amounts): [string, Quantity][] {
  return [...amounts].sort(([a], [b]) => (a < b ? -1 : 1));
}
