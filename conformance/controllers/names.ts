import { itemsAt, textAt } from "./kube-object.js";
import { TemplateHashes } from "./template-hashes.js";
import type { View } from "./view.js";

/**
 * Replaces random values by signs: the suffixes of generated names, uids, addresses, times, the minute in the name of a CronJob's Job, and the
 * scenario's namespace; nodes where any may have been chosen; and the hashes of pod templates.
 */
export class Names {
  readonly #signs = new Map<string, string>();
  readonly #prefixes = new Set<string>();
  readonly #namespace: string;
  readonly #hashes: TemplateHashes;

  constructor(view: View, namespace: string, anyOf: readonly string[]) {
    this.#namespace = namespace;
    this.#hashes = new TemplateHashes(view, namespace);
    for (const { type, object } of view.everything) {
      if (type.namespaced && textAt(object, "metadata", "namespace") !== namespace) continue;
      const { name, uid } = object.metadata;
      const sign = generated(name, textAt(object, "metadata", "generateName"));
      if (sign !== name) this.#signs.set(name, sign);
      this.#signs.set(uid, "{uid}");
      this.#prefixes.add(`${name}-`);
      if (type.kind === "Pod") {
        this.#signs.set(textAt(object, "status", "podIP"), `{ip of ${sign}}`);
        for (const volume of itemsAt(object, "spec", "volumes")) {
          const own = textAt(volume, "name");
          if (own.startsWith("kube-api-access-")) this.#signs.set(own, "kube-api-access-*");
        }
      }
      if (type.kind === "Service") this.#signs.set(textAt(object, "spec", "clusterIP"), `{ip of ${name}}`);
    }
    this.#signs.delete("");
    this.#signs.delete("None");
    for (const node of anyOf) this.#signs.set(node, "{node}");
  }

  /** The same string in every run. */
  of(text: string): string {
    // Keys, certificates and tokens.
    if (text.length > 200 && /^(?:-----BEGIN|LS0tLS1CRUdJTi|ZXlK)/.test(text)) return "{secret}";
    const replaced = text
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, "{time}")
      .replace(/[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?/g, (word) => this.#word(word))
      .replaceAll(this.#namespace, "{ns}");
    return this.#hashes.signed(replaced);
  }

  #word(word: string): string {
    const sign = this.#signs.get(word);
    if (sign !== undefined) return sign;
    // Of a pod that was refused only the name is ever heard.
    const [, stem = ""] = /^(.+-)[bcdfghjklmnpqrstvwxz2456789]{5}$/.exec(word) ?? [];
    return (this.#prefixes.has(stem) ? `${stem}*` : word).replace(/-\d{8}(?=$|-)/, "-{minute}");
  }
}

function generated(name: string, prefix: string): string {
  const stem = name.replace(/-\d{8}(?=$|-)/, "-{minute}");
  // Pods of a StatefulSet have a prefix too, but are numbered.
  if (prefix === "" || !name.startsWith(prefix) || /^\d{1,4}$/.test(name.slice(prefix.length))) return stem;
  return `${prefix.replace(/-\d{8}(?=$|-)/, "-{minute}")}*`;
}
