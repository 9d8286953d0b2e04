import { connect } from "kubewright";
import { Pod } from "kubewright/k8s/core/v1";

/** Returns what resolves with the image of a Pod's first container. Asks once: a Pod of the operator keeps its image. */
export function ownImage(pod: { readonly namespace: string; readonly name: string }): () => Promise<string> {
  let image: string | undefined;
  return async () => {
    if (image === undefined) {
      await using client = await connect();
      image = (await client.get(Pod, pod)).spec?.containers[0]?.image;
    }
    if (image === undefined) throw new Error(`Pod "${pod.namespace}/${pod.name}" has no image`);
    return image;
  };
}
