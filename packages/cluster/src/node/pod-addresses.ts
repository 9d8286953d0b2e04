import type { ReadNode, ReadPod } from "./read-objects.js";

/** Gives each pod an address of its node's range, and takes it back when the pod is gone. */
export class PodAddresses {
  readonly #holders = new Map<string, string>();
  readonly #addresses = new Map<string, string>();
  readonly #nextOf = new Map<string, number>();

  /** Takes down that a pod has its address, which somebody gave it before. */
  hold({ metadata, status }: ReadPod): void {
    const { uid } = metadata;
    if (status?.podIP !== undefined && !this.#holders.has(status.podIP)) this.#give(status.podIP, uid ?? "");
  }

  /** The address of a pod on a node: the one that it has, or one that is free. */
  of({ metadata, status }: ReadPod, node: ReadNode): string {
    const uid = metadata.uid ?? "";
    const known = status?.podIP ?? this.#addresses.get(uid);
    if (known !== undefined) return known;
    const [first = 10, second = 244, third = 0] = (node.spec?.podCIDR ?? "10.244.0.0/24").split(/[./]/).map(Number);
    // A range that is used up goes on in the next one: more pods than a range holds are no reason to stop.
    for (let at = this.#nextOf.get(node.metadata.name) ?? 2; ; at++) {
      const range = (second * 256 + third + Math.floor(at / 256)) % 65_536;
      const address = `${first}.${Math.floor(range / 256)}.${range % 256}.${at % 256}`;
      if (at % 256 === 0 || at % 256 === 255 || this.#holders.has(address)) continue;
      this.#nextOf.set(node.metadata.name, (at + 1) % 65_536);
      this.#give(address, uid);
      return address;
    }
  }

  /** Takes back what a pod had. It comes round again late, so that who still knows it does not meet another pod there. */
  release(uid: string): void {
    const address = this.#addresses.get(uid);
    if (address === undefined) return;
    this.#addresses.delete(uid);
    this.#holders.delete(address);
  }

  #give(address: string, uid: string): void {
    this.#holders.set(address, uid);
    this.#addresses.set(uid, address);
  }
}
