import { labelKeyProblems } from "@kubewright/core/selector";

/**
 * The annotations of one audit event. As in kube-apiserver, the first value of a key stays, and a key that is no qualified name with a prefix
 * is dropped.
 */
export class AuditAnnotations {
  readonly #keys = new Set<string>();
  readonly #add: (key: string, value: string) => void;

  constructor(add: (key: string, value: string) => void) {
    this.#add = add;
  }

  readonly annotate = (key: string, value: string): void => {
    if (this.#keys.has(key) || key.split("/").length !== 2 || labelKeyProblems(key).length > 0) return;
    this.#keys.add(key);
    this.#add(key, value);
  };
}
