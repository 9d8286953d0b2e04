import { itemsAt, textAt } from "./kube-object.js";
import { TemplateHashes } from "./template-hashes.js";
import type { View } from "./view.js";

/**
 * Replaces random values by placeholders: the suffixes of generated names, uids, addresses, times, the minute in the name of a CronJob's Job,
 * the scenario's namespace, nodes that are interchangeable, and pod template hashes.
 */
export class Names {
  readonly #placeholders = new Map<string, string>();
  readonly #prefixes = new Set<string>();
  readonly #namespace: string;
  readonly #hashes: TemplateHashes;

  constructor(view: View, namespace: string, anyOf: readonly string[]) {
    this.#namespace = namespace;
    this.#hashes = new TemplateHashes(view, namespace);
    for (const { type, object } of view.everything) {
      if (type.namespaced && textAt(object, "metadata", "namespace") !== namespace) continue;
      const { name, uid } = object.metadata;
      const placeholder = generated(name, textAt(object, "metadata", "generateName"));
      if (placeholder !== name) this.#placeholders.set(name, placeholder);
      this.#placeholders.set(uid, "{uid}");
      this.#prefixes.add(`${name}-`);
      if (type.kind === "Pod") {
        this.#placeholders.set(textAt(object, "status", "podIP"), `{ip of ${placeholder}}`);
        for (const volume of itemsAt(object, "spec", "volumes")) {
          const own = textAt(volume, "name");
          if (own.startsWith("kube-api-access-")) this.#placeholders.set(own, "kube-api-access-*");
        }
      }
      if (type.kind === "Service") this.#placeholders.set(textAt(object, "spec", "clusterIP"), `{ip of ${name}}`);
    }
    this.#placeholders.delete("");
    this.#placeholders.delete("None");
    for (const node of anyOf) this.#placeholders.set(node, "{node}");
  }

  /** The same string in every run. */
  of(text: string): string {
    // Keys, certificates and tokens.
    if (text.length > 200 && /^(?:-----BEGIN|LS0tLS1CRUdJTi|ZXlK)/.test(text)) return "{secret}";
    const replaced = text
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, "{time}")
      .replace(/[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?/g, (token) => this.#token(token))
      .replaceAll(this.#namespace, "{ns}");
    return this.#hashes.withPlaceholders(replaced);
  }

  #token(token: string): string {
    const placeholder = this.#placeholders.get(token);
    if (placeholder !== undefined) return placeholder;
    // The name of a rejected pod appears only in messages.
    const [, stem = ""] = /^(.+-)[bcdfghjklmnpqrstvwxz2456789]{5}$/.exec(token) ?? [];
    return (this.#prefixes.has(stem) ? `${stem}*` : token).replace(/-\d{8}(?=$|-)/, "-{minute}");
  }
}

function generated(name: string, prefix: string): string {
  const stem = name.replace(/-\d{8}(?=$|-)/, "-{minute}");
  // Pods of a StatefulSet also have a generateName, but end with an ordinal.
  if (prefix === "" || !name.startsWith(prefix) || /^\d{1,4}$/.test(name.slice(prefix.length))) return stem;
  return `${prefix.replace(/-\d{8}(?=$|-)/, "-{minute}")}*`;
}
