import { deepEqual, type JsonObject } from "@kubewright/core/json";
import { listAt, objectAt, textAt } from "../../../draft.js";
import type { QosClass } from "./qos-class.js";

/** How many specs are kept. */
const limit = 64;

/** A valid pod spec. */
interface KnownPodSpec {
  readonly spec: JsonObject;
  readonly quality: QosClass;
  /** Whether it has no warnings. */
  isSilent: boolean;
}

/**
 * Specs of recently created pods. Replicas have the same spec: the results for the first hold for the others, which also share its
 * memory.
 */
export class RecentPodSpecs {
  /** By the image of the first container. */
  readonly #known = new Map<string, KnownPodSpec>();

  /** The same spec, if it was stored recently. A spec that was never stored may still change. */
  find(spec: JsonObject): KnownPodSpec | undefined {
    const known = this.#known.get(imageOf(spec));
    return known !== undefined && Object.isFrozen(known.spec) && deepEqual(known.spec, spec) ? known : undefined;
  }

  /** What is known of this object. */
  of(spec: JsonObject): KnownPodSpec | undefined {
    const known = this.#known.get(imageOf(spec));
    return known?.spec === spec ? known : undefined;
  }

  /** Remembers a spec that is valid for any pod name. */
  remember(spec: JsonObject, quality: QosClass): void {
    const image = imageOf(spec);
    this.#known.delete(image);
    if (this.#known.size >= limit) this.#known.delete(this.#known.keys().next().value ?? "");
    this.#known.set(image, { spec, quality, isSilent: false });
  }
}

function imageOf(spec: JsonObject): string {
  return textAt((listAt(spec, "containers")[0] ?? {}) as JsonObject, "image");
}

/** Whether the validation of this spec depends on the pod's name. */
export function mindsName(spec: JsonObject): boolean {
  return listAt(spec, "volumes").some((volume) => Object.keys(objectAt(volume as JsonObject, "ephemeral")).length > 0);
}
