import { chanceDecided, explanations } from "./fuzz/index.js";
import { type Reason, reasons } from "./known-differences.js";

/** The reference page of known differences, generated from the lists that the comparisons use. */
export function differencesPage(): string {
  return `# Where the embedded cluster differs

How the embedded cluster differs from a real control plane of the same version. The [conformance tests](../../conformance/README.md) fail on
any other difference. A rejection is compared by HTTP status, reason, and the fields and reasons of its causes.

## Not implemented

${listed("not implemented")}

## Different on purpose

${listed(
  "different on purpose",
  explanations.filter(({ why }) => why !== chanceDecided),
)}

## Wording

- The message of a rejection may differ, except for those that kubectl users see often: unknown field, immutable field, conflict, not found,
  already exists, quota, forbidden, wrong type, required.
- ${chanceDecided}
${listed("wording")}
`;
}

function listed(group: Reason["group"], more: readonly { readonly why: string }[] = []): string {
  const all = [...reasons.filter((reason) => reason.group === group), ...more];
  return [...new Set(all.map(({ why }) => `- ${why}`))].join("\n");
}
