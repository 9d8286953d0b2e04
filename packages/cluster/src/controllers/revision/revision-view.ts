import { isJsonObject, type JsonValue, normaliseJson } from "@kubewright/core/json";
import type { ReadOf } from "kubewright";
import type { ControllerRevision } from "kubewright/k8s/apps/v1";
import type { TemplateView } from "../pod/index.js";

/** A ControllerRevision from the cache. */
export type RevisionView = ReadOf<typeof ControllerRevision>;

/** A ControllerRevision to create. */
export interface NewRevision {
  readonly metadata: {
    readonly name: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly data: Record<string, unknown>;
  readonly revision: number;
}

/** The data of a ControllerRevision: a patch that restores the template. */
export function revisionData(template: TemplateView): Record<string, unknown> {
  return { spec: { template: { ...template, $patch: "replace" } } };
}

/** The template of a ControllerRevision. */
export function templateOf({ data }: Pick<RevisionView, "data">): TemplateView {
  const spec = data?.["spec"] as JsonValue | undefined;
  const template = isJsonObject(spec) ? spec["template"] : undefined;
  if (!isJsonObject(template)) return {};
  const { $patch: _, ...rest } = template;
  return rest as TemplateView;
}

/** Orders by revision number, then by age. */
export function byRevision(a: RevisionView, b: RevisionView): number {
  if (a.revision !== b.revision) return a.revision < b.revision ? -1 : 1;
  const [left, right] = [a.metadata.creationTimestamp, b.metadata.creationTimestamp];
  if (left !== right) return left < right ? -1 : 1;
  return a.metadata.name < b.metadata.name ? -1 : 1;
}

/** The next revision number. Beyond 2^53 it is a `bigint`, whatever its type says (decision 0016). Like Go's int64, it wraps around. */
export function nextRevision(revisions: readonly RevisionView[]): number {
  const [max = 0n] = revisions.map(({ revision }) => BigInt(revision)).sort((a, b) => (a < b ? 1 : -1));
  return normaliseJson(BigInt.asIntN(64, (max < 0n ? 0n : max) + 1n)) as number;
}
