import type { NewObject, ReadOf } from "kubewright";
import type { Pod, PodTemplate } from "kubewright/k8s/core/v1";

/** A pod template as it was read off its owner. */
export type TemplateView = ReadOf<typeof PodTemplate>["template"] & object;

/** A pod that is to be made, without its name. */
export interface PodBody {
  readonly metadata: Pick<NewObject<typeof Pod>["metadata"], "labels" | "annotations" | "finalizers">;
  readonly spec: NonNullable<TemplateView["spec"]>;
}

/** The pod that a template describes: its labels, annotations, finalizers and its spec; what else its metadata says is dropped. */
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

/** The longest that a prefix of names may be for the server to take it. */
const maxPrefix = 253;

/** The start of the names of an owner's pods: with a dash, unless that makes it no name any more. */
export function podNamePrefix(owner: string): string {
  return owner.length < maxPrefix ? `${owner}-` : owner;
}
