import { NodeState } from "./node-state.js";
import { countsOtherwise, isNews } from "./pod-news.js";
import type { ReadNode, ReadPod } from "./scheduler-objects.js";

/**
 * The nodes with their pods, as a scheduler sees them: what the watches have shown, and what it has just decided.
 *
 * Follows each change as it comes, so that a look at all of it costs nothing: with every pod listed for every pod, a thousand pods would be
 * a million looks.
 */
export class ClusterState {
  readonly #nodes = new Map<string, NodeState>();
  /** The same as a list; undefined after one came or went. */
  #nodeList: readonly NodeState[] | undefined;
  readonly #pods = new Map<string, { readonly pod: ReadPod; readonly node: string }>();
  /** Pods without a node, whoever gives them one. */
  readonly #homeless = new Map<string, ReadPod>();
  /** Pods that were given a node that the watch has not shown yet. */
  readonly #assumed = new Map<string, string>();
  #version = 0;

  /** Grows with everything that may let a pod fit that did not. */
  get version(): number {
    return this.#version;
  }

  get nodes(): readonly NodeState[] {
    this.#nodeList ??= [...this.#nodes.values()];
    return this.#nodeList;
  }

  /** Pods that have no node and were given none. */
  get homeless(): readonly ReadPod[] {
    return [...this.#homeless.values()].filter(({ metadata }) => !this.#assumed.has(metadata.uid));
  }

  /** A pod came, changed or went. Whether that is news for where pods can be. */
  podChanged(old: ReadPod | undefined, now: ReadPod | undefined): boolean {
    if (now === undefined) {
      if (old !== undefined) this.#drop(old.metadata.uid);
      return true;
    }
    const { uid } = now.metadata;
    if (now.spec?.nodeName !== undefined) this.#assumed.delete(uid);
    const node = now.spec?.nodeName ?? this.#assumed.get(uid);
    // What has ended takes no room.
    const isOver = now.status?.phase === "Succeeded" || now.status?.phase === "Failed";
    if (isOver) this.#drop(uid);
    else if (node === undefined) this.#homeless.set(uid, now);
    else this.#settle(now, node);
    return isNews(old, now);
  }

  /** A node came, changed or went. */
  nodeChanged(old: ReadNode | undefined, now: ReadNode | undefined): void {
    this.#version++;
    if (now === undefined) {
      if (old !== undefined) this.#nodes.delete(old.metadata.name);
      this.#nodeList = undefined;
      return;
    }
    const { name } = now.metadata;
    const known = this.#nodes.get(name);
    if (known !== undefined) {
      known.update(now);
      return;
    }
    const state = new NodeState(now);
    for (const { pod, node } of this.#pods.values()) if (node === name) state.put(pod);
    this.#nodes.set(name, state);
    this.#nodeList = undefined;
  }

  /** A pod was given a node. */
  assume(pod: ReadPod, node: string): void {
    this.#assumed.set(pod.metadata.uid, node);
    this.#settle(pod, node);
  }

  /** It could not be had. */
  forget(pod: ReadPod): void {
    const { uid } = pod.metadata;
    if (!this.#assumed.delete(uid)) return;
    this.#remove(uid);
  }

  #settle(pod: ReadPod, node: string): void {
    const { uid } = pod.metadata;
    if (pod.spec?.nodeName !== undefined) this.#homeless.delete(uid);
    const before = this.#pods.get(uid);
    if (before !== undefined && before.node !== node) this.#nodes.get(before.node)?.remove(uid);
    this.#pods.set(uid, { pod, node });
    if (before?.node === node && !countsOtherwise(before.pod, pod)) {
      this.#nodes.get(node)?.refresh(pod);
      return;
    }
    this.#nodes.get(node)?.put(pod);
    this.#version++;
  }

  #drop(uid: string): void {
    this.#homeless.delete(uid);
    this.#assumed.delete(uid);
    this.#remove(uid);
  }

  #remove(uid: string): void {
    const before = this.#pods.get(uid);
    if (before === undefined) return;
    this.#pods.delete(uid);
    this.#nodes.get(before.node)?.remove(uid);
    this.#version++;
  }
}
