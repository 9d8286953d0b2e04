import { type AnyKind, type Client, isNotFound } from "kubewright";
import { serverMessage } from "../pod/index.js";
import type { ReadAutoscaler } from "./autoscaler-objects.js";

/** The scale of an HPA's target. */
export interface ScaleTarget {
  readonly kind: AnyKind;
  /** `spec.replicas` of the scale. */
  readonly specReplicas: number;
  /** `status.replicas` of the scale. */
  readonly statusReplicas: number;
  /** The label selector of the target's Pods, as a string. */
  readonly selector: string;
}

/** Reads the scale of an HPA's target, of any kind. Throws with kube-controller-manager's message. */
export async function scaleTarget(client: Client, { metadata, spec }: ReadAutoscaler): Promise<ScaleTarget> {
  const { apiVersion = "", kind: kindName, name } = spec.scaleTargetRef;
  const parts = apiVersion.split("/");
  if (parts.length > 2) throw new Error(`unexpected GroupVersion string: ${apiVersion}`);
  const group = parts.length === 2 ? (parts[0] ?? "") : "";
  const kind = await kindOf(client, group, kindName);
  try {
    const scale = await client.getScale(kind, { namespace: metadata.namespace ?? "", name });
    const { replicas: statusReplicas = 0, selector = "" } = scale.status ?? {};
    return { kind, specReplicas: scale.spec.replicas ?? 0, statusReplicas, selector };
  } catch (error) {
    throw new Error(serverMessage(error), { cause: error });
  }
}

/** Finds a kind by name. Throws with kube-controller-manager's message. */
export async function kindOf(client: Client, group: string, kind: string): Promise<AnyKind> {
  try {
    return await client.kind({ group, kind });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    throw new Error(`no matches for kind ${JSON.stringify(kind)} in group ${JSON.stringify(group)}`, { cause: error });
  }
}
