import { formatKey, type ObjectKey } from "@kubewright/core/identity";
import type { AnyKind } from "../definition/index.js";

/** Called with the response to a write; undefined when the object was deleted. */
export type WriteResponse = (object: object | undefined) => void;

/**
 * The writes of a controller whose response has not arrived, so that a response finds the run that it belongs to.
 *
 * A controller rarely writes one object from two runs at once; then the responses may be exchanged.
 */
export class OpenWrites {
  readonly #open = new Map<string, WriteResponse[]>();

  /** Returns a function that forgets the write. */
  add(kind: AnyKind, key: ObjectKey, onResponse: WriteResponse): () => void {
    const id = idOf(kind, key);
    const known = this.#open.get(id);
    if (known === undefined) this.#open.set(id, [onResponse]);
    else known.push(onResponse);
    return () => this.#remove(id, onResponse);
  }

  /** A write of this object succeeded. */
  succeeded(kind: AnyKind, key: ObjectKey, object: object | undefined): void {
    if (this.#open.size === 0) return;
    const id = idOf(kind, key);
    const onResponse = this.#open.get(id)?.[0];
    if (onResponse === undefined) return;
    this.#remove(id, onResponse);
    onResponse(object);
  }

  #remove(id: string, onResponse: WriteResponse): void {
    const left = this.#open.get(id)?.filter((other) => other !== onResponse) ?? [];
    if (left.length === 0) this.#open.delete(id);
    else this.#open.set(id, left);
  }
}

function idOf(kind: AnyKind, key: ObjectKey): string {
  return `${kind.id} ${formatKey(key)}`;
}
