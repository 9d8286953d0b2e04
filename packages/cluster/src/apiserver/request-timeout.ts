import { badRequest } from "../registry/index.js";

const units = ["ns", "us", "µs", "μs", "ms", "s", "m", "h"];

/**
 * Validates `?timeout=`: throws kube-apiserver's 400 if it is not a Go duration.
 *
 * The timeout is not enforced, because requests complete quickly.
 */
export function checkTimeout(text: string | undefined): void {
  if (text === undefined || text === "") return;
  const problem = durationProblem(text);
  if (problem !== undefined) throw badRequest(`invalid timeout specified in the request URL - time: ${problem}`);
}

function durationProblem(text: string): string | undefined {
  const quoted = JSON.stringify(text);
  let rest = text.replace(/^[+-]/, "");
  if (rest === "0") return undefined;
  if (rest === "") return `invalid duration ${quoted}`;
  while (rest !== "") {
    const number = /^(\d+\.?\d*|\.\d+)/.exec(rest)?.[0];
    if (number === undefined) return `invalid duration ${quoted}`;
    rest = rest.slice(number.length);
    const unit = /^[^\d.]*/.exec(rest)?.[0] ?? "";
    if (unit === "") return `missing unit in duration ${quoted}`;
    if (!units.includes(unit)) return `unknown unit ${JSON.stringify(unit)} in duration ${quoted}`;
    rest = rest.slice(unit.length);
  }
  return undefined;
}
