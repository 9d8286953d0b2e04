import { deepEqual } from "@kubewright/core/json";
import type { PodSpec } from "kubewright/k8s/core/v1";
import type { Decoded } from "../../../decoded.js";
import { isStoredPart } from "../../../stored-part.js";
import type { QosClass } from "./qos-class.js";

/** The maximum number of cached specs. */
const limit = 64;

/** A valid pod spec. */
interface KnownPodSpec {
  readonly spec: Decoded<PodSpec>;
  readonly qosClass: QosClass;
  /** Whether the spec has no warnings. */
  hasNoWarnings: boolean;
}

/**
 * A cache of the specs of recently created pods. Replicas have equal specs: they reuse the validation results and the memory of the first.
 */
export class RecentPodSpecs {
  /** By the image of the first container. */
  readonly #known = new Map<string, KnownPodSpec>();

  /** The same spec, if it was stored recently. A spec that was never stored is not frozen and may still change. */
  find(spec: Decoded<PodSpec>): KnownPodSpec | undefined {
    const known = this.#known.get(imageOf(spec));
    return known !== undefined && isStoredPart(known.spec) && deepEqual(known.spec, spec) ? known : undefined;
  }

  /** The entry of this object itself; undefined for an equal one. */
  of(spec: Decoded<PodSpec>): KnownPodSpec | undefined {
    const known = this.#known.get(imageOf(spec));
    return known?.spec === spec ? known : undefined;
  }

  /** Caches a spec that is valid for any pod name. */
  remember(spec: Decoded<PodSpec>, qosClass: QosClass): void {
    const image = imageOf(spec);
    this.#known.delete(image);
    if (this.#known.size >= limit) this.#known.delete(this.#known.keys().next().value ?? "");
    this.#known.set(image, { spec, qosClass, hasNoWarnings: false });
  }
}

function imageOf(spec: Decoded<PodSpec>): string {
  return spec.containers?.[0]?.image ?? "";
}

/** Whether the validation of this spec depends on the pod's name. */
export function dependsOnName(spec: Decoded<PodSpec>): boolean {
  return spec.volumes?.some(({ ephemeral }) => ephemeral !== undefined) ?? false;
}
