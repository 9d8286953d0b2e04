import { textAt } from "./kube-object.js";
import type { View } from "./view.js";

/** A hash in a name: the characters of rand.SafeEncodeString. */
const hash = /[bcdfghjklmnpqrstvwxz2456789]{6,10}/g;

/**
 * Replaces pod template hashes by placeholders: `{hash1}` is that of the first ReplicaSet or ControllerRevision in the namespace.
 *
 * Two control planes may compute different hashes of one template, but in the same order.
 */
export class TemplateHashes {
  readonly #placeholders = new Map<string, string>();

  constructor(view: View, namespace: string) {
    for (const { type, object } of view.everything) {
      if (textAt(object, "metadata", "namespace") !== namespace) continue;
      if (type.kind === "ReplicaSet") this.#add(textAt(object, "metadata", "labels", "pod-template-hash"));
      if (type.kind === "ControllerRevision") this.#add(object.metadata.name.split("-").at(-1) ?? "");
    }
  }

  /** The string with placeholders instead of hashes. */
  withPlaceholders(text: string): string {
    return this.#placeholders.size === 0 ? text : text.replace(hash, (found) => this.#placeholders.get(found) ?? found);
  }

  /** The string with hashes instead of placeholders. */
  withHashes(text: string): string {
    let filled = text;
    for (const [found, placeholder] of this.#placeholders) filled = filled.replaceAll(placeholder, found);
    return filled;
  }

  #add(found: string): void {
    if (found !== "" && !this.#placeholders.has(found))
      this.#placeholders.set(found, `{hash${this.#placeholders.size + 1}}`);
  }
}
