import { Quantity } from "@kubewright/core/quantity";

/** Quantities by resource name. */
export type Amounts = ReadonlyMap<string, Quantity>;

/** The quantity 1. */
export const one: Quantity = Quantity.of(1);

/** Parses the quantities of an object's field. */
export function amountsFrom(texts: Readonly<Record<string, unknown>> | undefined): Map<string, Quantity> {
  return new Map(Object.entries(texts ?? {}).map(([name, text]) => [name, Quantity.parse(String(text))]));
}

/** Formats quantities for an object's field, sorted by resource name. */
export function textsFrom(amounts: Amounts): Record<string, string> {
  return Object.fromEntries(sorted(amounts).map(([name, amount]) => [name, amount.toString()]));
}

/** Formats quantities as in kube-apiserver's quota errors: `cpu=1,pods=2`. */
export function amountsText(amounts: Amounts): string {
  return sorted(amounts)
    .map(([name, amount]) => `${name}=${amount}`)
    .join(",");
}

/** Adds `amounts` to `sum`. */
export function addAmounts(sum: Map<string, Quantity>, amounts: Amounts): void {
  for (const [name, amount] of amounts) sum.set(name, sum.get(name)?.add(amount) ?? amount);
}

/** Whether both hold the same resources with equal quantities. */
export function sameAmounts(a: Amounts, b: Amounts): boolean {
  return a.size === b.size && [...a].every(([name, amount]) => b.get(name)?.equals(amount) === true);
}

function sorted(amounts: Amounts): [string, Quantity][] {
  return [...amounts].sort(([a], [b]) => (a < b ? -1 : 1));
}
