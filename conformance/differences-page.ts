import { chanceDecided, explanations } from "./fuzz/index.js";
import { knownDifferences } from "./known-differences.js";

/** The page of the reference that lists every known difference, out of what the comparisons take as known. */
export function differencesPage(): string {
  const reasons = new Map<string, Set<string>>();
  for (const { why, case: name } of knownDifferences) reasons.set(why, (reasons.get(why) ?? new Set()).add(name));
  const listed = [...reasons].map(([why, names]) => `- ${why}\n${[...names].map((name) => `  - ${name}`).join("\n")}`);
  return `# Where the embedded cluster differs

How the answers of the embedded cluster differ from those of a real kube-apiserver of the same version, as far as it is known. Written by
\`npx tsx --conditions=kubewright-source conformance/write-differences.ts\` out of [known-differences.ts](../../conformance/known-differences.ts) and
[explained.ts](../../conformance/fuzz/explained.ts), which the [comparisons](../../conformance/README.md) are held against: what is not listed here and
differs fails them. Compared is a cluster with \`protectVolumes: true\`: one that runs no workloads leaves the finalizers of volumes and claims out
by default, because nobody would take them off. What the cluster does not have at all is told by [its guide](../guides/cluster.md).

## In recorded cases

Each reason, and the cases in which it shows.

${listed.join("\n")}

## In random requests

${[...explanations.map(({ why }) => why), chanceDecided].map((why) => `- ${why}`).join("\n")}
`;
}
