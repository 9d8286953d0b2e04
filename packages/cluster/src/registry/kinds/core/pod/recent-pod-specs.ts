import { deepEqual, type JsonObject } from "@kubewright/core/json";
import { listAt, objectAt, textAt } from "../../../draft.js";
import type { QosClass } from "./qos-class.js";

/** So many are kept. */
const limit = 64;

/** A spec of a pod that broke no rule. */
interface KnownPodSpec {
  readonly spec: JsonObject;
  readonly quality: QosClass;
  /** Whether nothing in it calls for a warning. */
  isSilent: boolean;
}

/**
 * Specs of pods that were created lately. Pods come in many copies of one: what was found out about the first holds for the others, which also
 * share its memory.
 */
export class RecentPodSpecs {
  /** By the image of their first container. */
  readonly #known = new Map<string, KnownPodSpec>();

  /** The same spec, where it was stored lately. One that was checked and never stored may still change. */
  find(spec: JsonObject): KnownPodSpec | undefined {
    const known = this.#known.get(imageOf(spec));
    return known !== undefined && Object.isFrozen(known.spec) && deepEqual(known.spec, spec) ? known : undefined;
  }

  /** What is known of this very object. */
  of(spec: JsonObject): KnownPodSpec | undefined {
    const known = this.#known.get(imageOf(spec));
    return known?.spec === spec ? known : undefined;
  }

  /** Takes down a spec that is right whatever its pod is called. */
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

/** Whether the rules for a pod with this spec depend on its name. */
export function mindsName(spec: JsonObject): boolean {
  return listAt(spec, "volumes").some((volume) => Object.keys(objectAt(volume as JsonObject, "ephemeral")).length > 0);
}
