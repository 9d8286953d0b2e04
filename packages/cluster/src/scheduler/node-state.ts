import { addTo, nonZeroRequests, parseResources, podResources, type Resources } from "./pod-resources.js";
import type { ReadNode, ReadPod } from "./scheduler-objects.js";

const noPods: readonly ReadPod[] = [];

/** A node with its Pods and their requests. */
export class NodeState {
  readonly name: string;
  #node: ReadNode;
  #allocatable: Resources;
  readonly #pods = new Map<string, ReadPod>();
  readonly #requested = new Map<string, number>();
  readonly #podsWithAntiAffinity = new Map<string, ReadPod>();
  readonly #podsByOwner = new Map<string, number>();
  #nonZeroRequested = { cpu: 0, memory: 0 };

  constructor(node: ReadNode) {
    this.name = node.metadata.name;
    this.#node = node;
    this.#allocatable = parseResources(node.status?.allocatable);
  }

  get node(): ReadNode {
    return this.#node;
  }

  get labels(): Readonly<Record<string, string>> {
    return this.#node.metadata.labels ?? {};
  }

  get allocatable(): Resources {
    return this.#allocatable;
  }

  get pods(): ReadonlyMap<string, ReadPod> {
    return this.#pods;
  }

  /** Pods on the node with anti-affinity. */
  get podsWithAntiAffinity(): Iterable<ReadPod> {
    return this.#podsWithAntiAffinity.size === 0 ? noPods : this.#podsWithAntiAffinity.values();
  }

  /** The sum of the requests of its Pods. */
  get requested(): Resources {
    return this.#requested;
  }

  /** The same for scoring, with default requests for Pods that request nothing. */
  get nonZeroRequested(): { readonly cpu: number; readonly memory: number } {
    return this.#nonZeroRequested;
  }

  /** How many Pods of an owner run on the node. */
  countOf(ownerUid: string): number {
    return this.#podsByOwner.get(ownerUid) ?? 0;
  }

  update(node: ReadNode): void {
    this.#node = node;
    this.#allocatable = parseResources(node.status?.allocatable);
  }

  put(pod: ReadPod): void {
    this.remove(pod.metadata.uid);
    this.#pods.set(pod.metadata.uid, pod);
    if (pod.spec?.affinity?.podAntiAffinity !== undefined) this.#podsWithAntiAffinity.set(pod.metadata.uid, pod);
    this.#count(pod, 1);
  }

  /** Replaces a Pod whose requests did not change. */
  refresh(pod: ReadPod): void {
    const { uid } = pod.metadata;
    this.#pods.set(uid, pod);
    if (this.#podsWithAntiAffinity.has(uid)) this.#podsWithAntiAffinity.set(uid, pod);
  }

  remove(uid: string): void {
    const pod = this.#pods.get(uid);
    if (pod === undefined) return;
    this.#pods.delete(uid);
    this.#podsWithAntiAffinity.delete(uid);
    this.#count(pod, -1);
  }

  #count(pod: ReadPod, sign: 1 | -1): void {
    addTo(this.#requested, podResources(pod), sign);
    for (const { uid } of pod.metadata.ownerReferences ?? []) {
      const count = this.countOf(uid) + sign;
      if (count === 0) this.#podsByOwner.delete(uid);
      else this.#podsByOwner.set(uid, count);
    }
    const { cpu, memory } = nonZeroRequests(pod);
    this.#nonZeroRequested = {
      cpu: this.#nonZeroRequested.cpu + sign * cpu,
      memory: this.#nonZeroRequested.memory + sign * memory,
    };
  }
}
