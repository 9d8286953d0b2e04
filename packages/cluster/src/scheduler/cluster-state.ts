import { NodeState } from "./node-state.js";
import { affectsNode, affectsScheduling } from "./pod-change.js";
import type { ReadNode, ReadPod } from "./scheduler-objects.js";

/**
 * The scheduler's cache of nodes and their Pods: the state from the watches, plus assumed Pods.
 *
 * It is updated with each change, so that scheduling a Pod does not list all Pods again, which would be quadratic.
 */
export class ClusterState {
  readonly #nodes = new Map<string, NodeState>();
  /** The same as a list; undefined after a node was added or deleted. */
  #nodeList: readonly NodeState[] | undefined;
  readonly #pods = new Map<string, { readonly pod: ReadPod; readonly node: string }>();
  /** Pods without a node, of any scheduler. */
  readonly #unscheduled = new Map<string, ReadPod>();
  /** Pods whose binding the watch has not reported yet, with their nodes. */
  readonly #assumed = new Map<string, string>();
  #version = 0;

  /** Increases with every change that may make a Pod schedulable. */
  get version(): number {
    return this.#version;
  }

  get nodes(): readonly NodeState[] {
    this.#nodeList ??= [...this.#nodes.values()];
    return this.#nodeList;
  }

  /** Pods that are neither bound nor assumed. */
  get unscheduled(): readonly ReadPod[] {
    return [...this.#unscheduled.values()].filter(({ metadata }) => !this.#assumed.has(metadata.uid));
  }

  /** Applies a Pod change. Returns whether it can affect scheduling. */
  podChanged(old: ReadPod | undefined, now: ReadPod | undefined): boolean {
    if (now === undefined) {
      if (old !== undefined) this.#drop(old.metadata.uid);
      return true;
    }
    const { uid } = now.metadata;
    if (now.spec?.nodeName !== undefined) this.#assumed.delete(uid);
    const node = now.spec?.nodeName ?? this.#assumed.get(uid);
    // A terminal Pod uses no resources.
    const isTerminal = now.status?.phase === "Succeeded" || now.status?.phase === "Failed";
    if (isTerminal) this.#drop(uid);
    else if (node === undefined) this.#unscheduled.set(uid, now);
    else this.#assign(now, node);
    return affectsScheduling(old, now);
  }

  /** Applies a Node change. */
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

  /** Counts a Pod on a node before its binding is confirmed. */
  assume(pod: ReadPod, node: string): void {
    this.#assumed.set(pod.metadata.uid, node);
    this.#assign(pod, node);
  }

  /** Removes an assumed Pod whose binding failed. */
  forget(pod: ReadPod): void {
    const { uid } = pod.metadata;
    if (!this.#assumed.delete(uid)) return;
    this.#remove(uid);
  }

  #assign(pod: ReadPod, node: string): void {
    const { uid } = pod.metadata;
    if (pod.spec?.nodeName !== undefined) this.#unscheduled.delete(uid);
    const before = this.#pods.get(uid);
    if (before !== undefined && before.node !== node) this.#nodes.get(before.node)?.remove(uid);
    this.#pods.set(uid, { pod, node });
    if (before?.node === node && !affectsNode(before.pod, pod)) {
      this.#nodes.get(node)?.refresh(pod);
      return;
    }
    this.#nodes.get(node)?.put(pod);
    this.#version++;
  }

  #drop(uid: string): void {
    this.#unscheduled.delete(uid);
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
