import { type AnyKind, type Client, isNotFound } from "kubewright";
import { serverText } from "../pod/index.js";
import type { ReadAutoscaler } from "./autoscaler-objects.js";

/** What an autoscaler scales, as it was found. */
export interface ScaleTarget {
  readonly kind: AnyKind;
  /** How many are wanted. */
  readonly wanted: number;
  /** How many there are. */
  readonly there: number;
  /** Which pods are its own, as text. */
  readonly selector: string;
}

/** Finds what an autoscaler scales, of whatever kind. Throws with Kubernetes' words where there is none. */
export async function scaleTarget(client: Client, { metadata, spec }: ReadAutoscaler): Promise<ScaleTarget> {
  const { apiVersion = "", kind: kindName, name } = spec.scaleTargetRef;
  const parts = apiVersion.split("/");
  if (parts.length > 2) throw new Error(`unexpected GroupVersion string: ${apiVersion}`);
  const group = parts.length === 2 ? (parts[0] ?? "") : "";
  const kind = await kindOf(client, group, kindName);
  try {
    const scale = await client.getScale(kind, { namespace: metadata.namespace ?? "", name });
    const { replicas: there = 0, selector = "" } = scale.status ?? {};
    return { kind, wanted: scale.spec.replicas ?? 0, there, selector };
  } catch (error) {
    throw new Error(serverText(error), { cause: error });
  }
}

/** A kind by its name. Throws with Kubernetes' words where there is none. */
export async function kindOf(client: Client, group: string, kind: string): Promise<AnyKind> {
  try {
    return await client.kind({ group, kind });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    throw new Error(`no matches for kind ${JSON.stringify(kind)} in group ${JSON.stringify(group)}`, { cause: error });
  }
}
