import type { NewObject, ReadOf } from "kubewright";
import type { Pod, PodTemplate } from "kubewright/k8s/core/v1";

/** A Pod template from its owner. */
export type TemplateView = ReadOf<typeof PodTemplate>["template"] & object;

/** A Pod to create, without its name. */
export interface PodBody {
  readonly metadata: Pick<NewObject<typeof Pod>["metadata"], "labels" | "annotations" | "finalizers">;
  readonly spec: NonNullable<TemplateView["spec"]>;
}

/** The Pod of a template, with its labels, annotations, finalizers and spec. Other metadata is dropped. */
export function podFromTemplate(template: TemplateView): PodBody {
  const { labels, annotations, finalizers } = template.metadata ?? {};
  return {
    metadata: {
      ...(labels && { labels }),
      ...(annotations && { annotations }),
      ...(finalizers && { finalizers }),
    },
    spec: template.spec ?? { containers: [] },
  };
}

/** The maximum length of generateName. */
const maxPrefix = 253;

/** The name prefix of an owner's Pods: with a dash, unless it would be too long. */
export function podNamePrefix(owner: string): string {
  return owner.length < maxPrefix ? `${owner}-` : owner;
}
