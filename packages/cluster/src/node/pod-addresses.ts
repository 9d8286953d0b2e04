import type { ReadNode, ReadPod } from "./read-objects.js";

/** Allocates Pod IPs from the Pod CIDRs of the nodes. */
export class PodAddresses {
  readonly #holders = new Map<string, string>();
  readonly #addresses = new Map<string, string>();
  readonly #nextOf = new Map<string, number>();

  /** Records the IP that a Pod already has. */
  record({ metadata, status }: ReadPod): void {
    const { uid } = metadata;
    if (status?.podIP !== undefined && !this.#holders.has(status.podIP)) this.#assign(status.podIP, uid ?? "");
  }

  /** The IP of a Pod on a node: its current one, or a free one. */
  of({ metadata, status }: ReadPod, node: ReadNode): string {
    const uid = metadata.uid ?? "";
    const known = status?.podIP ?? this.#addresses.get(uid);
    if (known !== undefined) return known;
    const [first = 10, second = 244, third = 0] = (node.spec?.podCIDR ?? "10.244.0.0/24").split(/[./]/).map(Number);
    // An exhausted CIDR continues in the next one, so that allocation never fails.
    for (let at = this.#nextOf.get(node.metadata.name) ?? 2; ; at++) {
      const range = (second * 256 + third + Math.floor(at / 256)) % 65_536;
      const address = `${first}.${Math.floor(range / 256)}.${range % 256}.${at % 256}`;
      if (at % 256 === 0 || at % 256 === 255 || this.#holders.has(address)) continue;
      this.#nextOf.set(node.metadata.name, (at + 1) % 65_536);
      this.#assign(address, uid);
      return address;
    }
  }

  /** Releases the IP of a Pod. It is reused late, so that clients with a stale IP do not reach another Pod. */
  release(uid: string): void {
    const address = this.#addresses.get(uid);
    if (address === undefined) return;
    this.#addresses.delete(uid);
    this.#holders.delete(address);
  }

  #assign(address: string, uid: string): void {
    this.#holders.set(address, uid);
    this.#addresses.set(uid, address);
  }
}
