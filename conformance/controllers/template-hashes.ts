import { textAt } from "./kube-object.js";
import type { View } from "./view.js";

/** The characters of a hash in names: no vowels, so that no words appear. */
const hash = /[bcdfghjklmnpqrstvwxz2456789]{6,10}/g;

/**
 * Replaces the hashes of pod templates by signs: `{hash1}` is that of the first ReplicaSet or ControllerRevision in the namespace.
 *
 * Two control planes may compute different hashes of one template; the order in which they need them is the same.
 */
export class TemplateHashes {
  readonly #signs = new Map<string, string>();

  constructor(view: View, namespace: string) {
    for (const { type, object } of view.everything) {
      if (textAt(object, "metadata", "namespace") !== namespace) continue;
      if (type.kind === "ReplicaSet") this.#add(textAt(object, "metadata", "labels", "pod-template-hash"));
      if (type.kind === "ControllerRevision") this.#add(object.metadata.name.split("-").at(-1) ?? "");
    }
  }

  /** The same text with signs in place of hashes. */
  signed(text: string): string {
    return this.#signs.size === 0 ? text : text.replace(hash, (found) => this.#signs.get(found) ?? found);
  }

  /** The same text with hashes in place of signs. */
  filled(text: string): string {
    let filled = text;
    for (const [found, sign] of this.#signs) filled = filled.replaceAll(sign, found);
    return filled;
  }

  #add(found: string): void {
    if (found !== "" && !this.#signs.has(found)) this.#signs.set(found, `{hash${this.#signs.size + 1}}`);
  }
}
