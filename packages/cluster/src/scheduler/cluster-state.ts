import { NodeState } from "./node-state.js";
import { isNews } from "./pod-news.js";
import type { ReadNode, ReadPod } from "./scheduler-objects.js";

/**
 * The nodes with their pods, as a scheduler sees them: what the caches hold, and what it has just decided.
 *
 * Brought up to date by comparing objects with those of the last time, which are frozen: what is the same is not looked at.
 */
export class ClusterState {
  readonly #nodes = new Map<string, NodeState>();
  readonly #pods = new Map<string, { readonly pod: ReadPod; readonly node: string }>();
  /** Pods that were given a node that the caches do not know of yet. */
  readonly #assumed = new Map<string, { readonly pod: ReadPod; readonly node: string }>();
  #version = 0;

  /** Grows with everything that may let a pod fit that did not. */
  get version(): number {
    return this.#version;
  }

  get nodes(): readonly NodeState[] {
    return [...this.#nodes.values()];
  }

  node(name: string): NodeState | undefined {
    return this.#nodes.get(name);
  }

  /** Whether a pod was given a node a moment ago. */
  isAssumed(uid: string): boolean {
    return this.#assumed.has(uid);
  }

  /** Takes in what the caches hold now. Pods that have ended take no room. */
  sync(nodes: readonly ReadNode[], pods: readonly ReadPod[]): void {
    this.#syncNodes(nodes);
    const seen = new Set<string>();
    for (const pod of pods) {
      const { uid } = pod.metadata;
      const assumed = this.#assumed.get(uid);
      if (assumed !== undefined && pod.spec?.nodeName !== undefined) this.#assumed.delete(uid);
      const node = pod.spec?.nodeName ?? this.#assumed.get(uid)?.node;
      if (node === undefined || pod.status?.phase === "Succeeded" || pod.status?.phase === "Failed") continue;
      seen.add(uid);
      const before = this.#pods.get(uid);
      if (before?.pod === pod && before.node === node) continue;
      if (before !== undefined) this.#nodes.get(before.node)?.remove(uid);
      this.#pods.set(uid, { pod, node });
      this.#nodes.get(node)?.put(pod);
      if (before?.node !== node || isNews(before.pod, pod)) this.#version++;
    }
    for (const [uid, { node }] of this.#pods) {
      if (seen.has(uid)) continue;
      this.#pods.delete(uid);
      this.#assumed.delete(uid);
      this.#nodes.get(node)?.remove(uid);
      this.#version++;
    }
  }

  /** A pod was given a node. */
  assume(pod: ReadPod, node: string): void {
    this.#assumed.set(pod.metadata.uid, { pod, node });
    this.#pods.set(pod.metadata.uid, { pod, node });
    this.#nodes.get(node)?.put(pod);
    this.#version++;
  }

  /** It could not be had. */
  forget(pod: ReadPod): void {
    const { uid } = pod.metadata;
    const assumed = this.#assumed.get(uid);
    if (assumed === undefined) return;
    this.#assumed.delete(uid);
    this.#pods.delete(uid);
    this.#nodes.get(assumed.node)?.remove(uid);
    this.#version++;
  }

  #syncNodes(nodes: readonly ReadNode[]): void {
    const names = new Set<string>();
    for (const node of nodes) {
      const { name } = node.metadata;
      names.add(name);
      const known = this.#nodes.get(name);
      if (known?.node === node) continue;
      this.#version++;
      if (known !== undefined) known.update(node);
      else {
        const state = new NodeState(node);
        for (const { pod, node: where } of this.#pods.values()) if (where === name) state.put(pod);
        this.#nodes.set(name, state);
      }
    }
    for (const name of this.#nodes.keys())
      if (!names.has(name)) {
        this.#nodes.delete(name);
        this.#version++;
      }
  }
}
