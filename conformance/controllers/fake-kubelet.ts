import type { Clock, Timer } from "@kubewright/core/clock";
import { isJsonObject, type JsonObject } from "@kubewright/core/json";
import type { Transport, TransportResponse } from "@kubewright/core/transport";
import { isKubeObject, itemsAt, type KubeObject, textAt } from "./kube-object.js";
import { pathOf, typeOf } from "./resources.js";
import type { NodeOptions } from "./scenario.js";
import { isTerminated, type SimulatedState, statusFor } from "./simulated-state.js";
import type { View } from "./view.js";

const strategic = { "content-type": "application/strategic-merge-patch+json" };

/** Lease renewal interval: half of the lease duration. A kubelet renews twice as often. */
const renewMs = 20_000;

/**
 * Simulates all kubelets of a cluster: a pod bound to one of its nodes is ready at once, and a deleted pod terminates at once, unless a
 * scenario sets another state. Handles one pod at a time, so that the order is deterministic.
 */
export class FakeKubelet {
  readonly #transport: Transport;
  readonly #clock: Clock;
  readonly #nodes = new Set<string>();
  readonly #queue = new Map<string, KubeObject>();
  /** By uid: the state reported last. */
  readonly #reported = new Map<string, SimulatedState | "stopped">();
  readonly #wanted = new Map<string, SimulatedState>();
  /** By namespace, or namespace and app. */
  readonly #forNew = new Map<string, SimulatedState>();
  readonly #hanging = new Set<string>();
  readonly #leases = new Map<string, Timer>();
  #working: Promise<void> | undefined;
  #addresses = 0;
  #failure: unknown;

  constructor(transport: Transport, clock: Clock, view: View) {
    this.#transport = transport;
    this.#clock = clock;
    view.listen(({ type, object }) => {
      if (type.kind === "Pod") this.#look(object);
    });
  }

  /** Whether nothing is left to report. Throws when the server rejected a report. */
  get idle(): boolean {
    if (this.#failure !== undefined) throw this.#failure;
    return this.#working === undefined;
  }

  /** Registers a node without the not-ready taint, and renews its lease. */
  async addNode(options: NodeOptions): Promise<void> {
    this.#nodes.add(options.name);
    const nodes = pathOf(typeOf("Node"), "");
    const body = nodeObject(options, this.#now(), this.#nodes.size);
    const made = await this.#must({ method: "POST", path: nodes, body });
    this.#renewLater(options.name);
    const { taints = [] } = options;
    if (itemsAt(isJsonObject(made) ? made : {}, "spec", "taints").length === taints.length) return;
    const headers = { "content-type": "application/merge-patch+json" };
    await this.#must({ method: "PATCH", path: `${nodes}/${options.name}`, headers, body: { spec: { taints } } });
  }

  /** Reports whether a node is ready. */
  async setNodeReady(name: string, ready: boolean): Promise<void> {
    const path = `${pathOf(typeOf("Node"), "", name)}/status`;
    await this.#must({
      method: "PATCH",
      path,
      headers: strategic,
      body: { status: { conditions: [readiness(ready, this.#now())] } },
    });
  }

  /** Deletes a node, but not its pods. */
  async removeNode(name: string): Promise<void> {
    this.stopHeartbeats(name);
    this.#nodes.delete(name);
    await this.#must({ method: "DELETE", path: pathOf(typeOf("Node"), "", name) });
  }

  /** Renews the lease of a node now and from now on. */
  async startHeartbeats(name: string): Promise<void> {
    this.#renewLater(name);
    const path = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases";
    const renewTime = new Date(this.#clock.now()).toISOString().replace("Z", "000Z");
    const spec = { holderIdentity: name, leaseDurationSeconds: 40, renewTime };
    const body = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: { name }, spec };
    const headers = { "content-type": "application/apply-patch+yaml" };
    const query = { fieldManager: "kubelet", force: "true" };
    await this.#must({ method: "PATCH", path: `${path}/${name}`, headers, query, body });
  }

  #renewLater(name: string): void {
    this.stopHeartbeats(name);
    const renew = (): void => void this.startHeartbeats(name).catch((error: unknown) => this.#fail(error));
    this.#leases.set(name, this.#clock.startTimer(renewMs, renew));
  }

  /** Stops renewing the lease of a node. */
  stopHeartbeats(name: string): void {
    this.#leases.get(name)?.cancel();
    this.#leases.delete(name);
  }

  /** Sets the state of new pods in a namespace, of all or of one app. */
  setNewPods(namespace: string, state: SimulatedState, app?: string): void {
    this.#forNew.set(app === undefined ? namespace : `${namespace}/${app}`, state);
  }

  /** Sets the state of this pod. */
  setPod(pod: KubeObject, state: SimulatedState): void {
    this.#wanted.set(pod.metadata.uid, state);
    this.#look(pod);
  }

  /** Sets whether terminating pods of a namespace hang; hanging pods terminate when this is turned off. */
  setHanging(namespace: string, hang: boolean, pods: readonly KubeObject[]): void {
    if (hang) this.#hanging.add(namespace);
    else this.#hanging.delete(namespace);
    for (const pod of pods) this.#look(pod);
  }

  /** Stops lease renewal and reporting. */
  async close(): Promise<void> {
    for (const name of [...this.#leases.keys()]) this.stopHeartbeats(name);
    this.#queue.clear();
    await this.#working;
  }

  #look(pod: KubeObject): void {
    if (!this.#nodes.has(textAt(pod, "spec", "nodeName"))) return;
    this.#queue.set(pod.metadata.uid, pod);
    this.#working ??= this.#work();
  }

  async #work(): Promise<void> {
    try {
      for (const [uid, pod] of this.#queue) {
        this.#queue.delete(uid);
        await this.#handle(pod);
      }
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#working = undefined;
    }
  }

  async #handle(pod: KubeObject): Promise<void> {
    const { uid } = pod.metadata;
    const reported = this.#reported.get(uid);
    const namespace = textAt(pod, "metadata", "namespace");
    if (reported === "stopped") return;
    if (textAt(pod, "metadata", "deletionTimestamp") !== "" && !this.#hanging.has(namespace)) {
      this.#reported.set(uid, "stopped");
      // A started container reports exit code 143 (SIGTERM) before its pod is gone.
      if (reported !== undefined && reported !== "pulling" && !isTerminated(reported))
        await this.#report(pod, "exit 143");
      const path = pathOf(typeOf("Pod"), namespace, pod.metadata.name);
      await this.#tolerant({ method: "DELETE", path, body: { gracePeriodSeconds: 0, preconditions: { uid } } });
      return;
    }
    const state = this.#wanted.get(uid) ?? reported ?? this.#lifeOfNew(pod, namespace);
    if (state === reported) return;
    this.#reported.set(uid, state);
    await this.#report(pod, state);
  }

  #lifeOfNew(pod: KubeObject, namespace: string): SimulatedState {
    const app = textAt(pod, "metadata", "labels", "app");
    return this.#forNew.get(`${namespace}/${app}`) ?? this.#forNew.get(namespace) ?? "ready";
  }

  async #report(pod: KubeObject, state: SimulatedState): Promise<void> {
    const known = textAt(pod, "status", "podIP");
    const podIp = known === "" ? this.#newAddress() : known;
    const status = statusFor(pod, state, { now: this.#now(), hostIp: "10.9.9.9", podIp });
    const path = `${pathOf(typeOf("Pod"), textAt(pod, "metadata", "namespace"), pod.metadata.name)}/status`;
    await this.#tolerant({ method: "PATCH", path, headers: strategic, body: { status } });
  }

  #newAddress(): string {
    const count = ++this.#addresses;
    return `10.${64 + Math.floor(count / 62_500)}.${Math.floor(count / 250) % 250}.${(count % 250) + 1}`;
  }

  /** Sends a request, ignoring 404 and 409: the pod may be deleted at the same time. */
  async #tolerant(request: Parameters<Transport["send"]>[0]): Promise<void> {
    const { status, body } = await this.#transport.send(request);
    if (status >= 400 && status !== 404 && status !== 409) throw rejection(request.path, { status, headers: {}, body });
  }

  async #must(request: Parameters<Transport["send"]>[0]): Promise<unknown> {
    const response = await this.#transport.send(request);
    if (response.status >= 300) throw rejection(`${request.method} ${request.path}`, response);
    return response.body;
  }

  #fail(error: unknown): void {
    this.#failure ??= error;
  }

  #now(): string {
    return `${new Date(this.#clock.now()).toISOString().slice(0, 19)}Z`;
  }
}

function rejection(what: string, { body }: TransportResponse): Error {
  const message = isJsonObject(body) || isKubeObject(body) ? String(body["message"]) : String(body);
  return new Error(`Cannot act as the kubelet: ${what}: ${message}`);
}

function readiness(ready: boolean, now: string): JsonObject {
  return {
    type: "Ready",
    status: ready ? "True" : "False",
    reason: ready ? "KubeletReady" : "KubeletNotReady",
    message: ready ? "kubelet is posting ready status" : "container runtime is down",
    lastHeartbeatTime: now,
    lastTransitionTime: now,
  };
}

function nodeObject({ name, labels, capacity, taints }: NodeOptions, now: string, number: number): JsonObject {
  const resources = { cpu: "8", memory: "32Gi", pods: "110", "ephemeral-storage": "100Gi", ...capacity };
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: {
      name,
      labels: {
        "kubernetes.io/hostname": name,
        "kubernetes.io/os": "linux",
        "beta.kubernetes.io/os": "linux",
        ...labels,
      },
    },
    ...(taints && { spec: { taints: taints.map((taint) => ({ ...taint })) } }),
    status: {
      capacity: resources,
      allocatable: resources,
      conditions: [readiness(true, now)],
      addresses: [
        { type: "InternalIP", address: `10.8.0.${number}` },
        { type: "Hostname", address: name },
      ],
    },
  };
}
