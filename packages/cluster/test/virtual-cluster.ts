import { FakeClock } from "@kubewright/core/clock";
import { type AnyController, type Client, createClient, isNotFound, operator, type ReadOf } from "kubewright";
import { Event, Pod } from "kubewright/k8s/core/v1";
import { type Cluster, startCluster, type WorkloadOptions } from "../src/index.js";

type PodView = ReadOf<typeof Pod>;

/** The maximum real time until a cluster is idle. */
const idleTimeoutMs = 40_000;

/** A cluster in virtual time, for one test. */
export interface VirtualCluster extends AsyncDisposable {
  readonly client: Client;
  readonly cluster: Cluster;
  readonly clock: FakeClock;
  /** Resolves once the cluster is idle: only a timer or a request can cause more work. */
  rest(): Promise<void>;
  /** Advances the clock timer by timer, and waits until the cluster is idle after each. */
  advance(seconds: number): Promise<void>;
  pods(labels?: Readonly<Record<string, string>>): Promise<readonly PodView[]>;
  /** Messages of events with this reason, sorted. */
  events(reason: string): Promise<readonly string[]>;
}

/** Starts a cluster with workloads and waits until it is idle. */
export async function startVirtualCluster(workloads: WorkloadOptions): Promise<VirtualCluster> {
  const clock = new FakeClock();
  const cluster = await startCluster({ clock, workloads });
  const world = baseOf(cluster, clock, () => cluster);
  await world.rest();
  return { ...world, [Symbol.asyncDispose]: () => cluster.close() };
}

/** A cluster in virtual time with selected controllers. The test acts as scheduler and kubelet. */
export interface ControllerCluster extends VirtualCluster {
  /** Restarts the controllers, as after a crash of their process. */
  restart(): Promise<void>;
  /** Acts as scheduler and kubelet: binds a Pod and makes it ready. */
  makeReady(pod: PodView, node?: string): Promise<void>;
  /** Acts as kubelet: removes a terminating Pod. */
  finish(pod: PodView): Promise<void>;
  /** Makes all Pods ready and removes terminating ones until nothing changes. */
  settle(): Promise<void>;
}

/** Starts a cluster with selected controllers. */
export async function startControllerCluster(controllers: () => readonly AnyController[]): Promise<ControllerCluster> {
  const clock = new FakeClock();
  const cluster = await startCluster({ clock });
  const { transport } = cluster;
  const start = () =>
    operator({ name: "kube-controller-manager", controllers: controllers() }).start({ transport, clock });
  let running = await start();
  const world = baseOf(cluster, clock, () => ({
    idle: cluster.idle && running.idle,
    busy: () => running.busy(),
  }));
  const { client, rest, pods } = world;
  const named = ({ metadata }: PodView) => ({ name: metadata.name, namespace: metadata.namespace ?? "" });
  const makeReady = async (pod: PodView, node = "node-1"): Promise<void> => {
    const at = new Date(clock.now()).toISOString().replace(/\.\d+/, "");
    const conditions = [{ type: "Ready", status: "True", lastTransitionTime: at }];
    if ((pod.spec?.nodeName ?? "") === "") {
      const body = { apiVersion: "v1", kind: "Binding", target: { apiVersion: "v1", kind: "Node", name: node } };
      await unlessGone(client.subresource(Pod, named(pod), "binding").create(body as never, {}));
    }
    await unlessGone(client.patchStatus(Pod, named(pod), { merge: { status: { phase: "Running", conditions } } }));
  };
  const finish = async (pod: PodView): Promise<void> => {
    await unlessGone(client.delete(Pod, named(pod), { gracePeriodSeconds: 0 }));
  };
  return {
    ...world,
    restart: async () => {
      await running.stop();
      running = await start();
    },
    makeReady,
    finish,
    settle: async () => {
      await rest();
      for (let round = 0; round < 200; round++) {
        const all = await pods();
        const terminating = all.filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
        const unready = all.filter(
          ({ metadata, status }) =>
            metadata.deletionTimestamp === undefined &&
            status?.phase !== "Failed" &&
            !status?.conditions?.some(({ type, status: is }) => type === "Ready" && is === "True"),
        );
        if (terminating.length + unready.length === 0) return;
        await Promise.all([...terminating.map(finish), ...unready.map((pod) => makeReady(pod))]);
        await rest();
      }
      throw new Error("Cannot settle: the controllers keep creating and deleting Pods");
    },
    [Symbol.asyncDispose]: async () => {
      await running.stop();
      await cluster.close();
    },
  };
}

/** Awaits a write and ignores a 404: a controller may have deleted the object meanwhile. */
export async function unlessGone(write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/** The common functions of both clusters. `work` reports whether the cluster is idle, and its running work. */
function baseOf(
  cluster: Cluster,
  clock: FakeClock,
  work: () => Pick<Cluster, "idle" | "busy">,
): Omit<VirtualCluster, typeof Symbol.asyncDispose> {
  const client = createClient(cluster.transport);
  const rest = async (): Promise<void> => {
    const deadlineMs = performance.now() + idleTimeoutMs;
    for (let calm = 0; calm < 3; calm = work().idle ? calm + 1 : 0) {
      await new Promise((resolve) => setImmediate(resolve));
      if (performance.now() > deadlineMs)
        throw new Error(`The cluster does not become idle: ${work().busy().join("; ")}`);
    }
  };
  return {
    client,
    cluster,
    clock,
    rest,
    advance: async (seconds) => {
      await rest();
      const untilMs = clock.monotonic() + seconds * 1_000;
      for (let nextMs = clock.nextTimerInMs; nextMs !== undefined; nextMs = clock.nextTimerInMs) {
        if (clock.monotonic() + nextMs > untilMs) break;
        clock.advance(nextMs);
        await rest();
      }
      clock.advance(Math.max(0, untilMs - clock.monotonic()));
      await rest();
    },
    pods: async (labels = {}) => {
      const found: PodView[] = [];
      for await (const pod of client.list(Pod, { allNamespaces: true, labels })) found.push(pod);
      return found;
    },
    events: async (eventReason) => {
      const notes: string[] = [];
      for await (const { reason, message } of client.list(Event, { allNamespaces: true }))
        if (reason === eventReason) notes.push(message ?? "");
      return notes.sort();
    },
  };
}
