import { type TestCluster, type TestClusterOptions, testCluster } from "@kubewright/testing";
import type { Operator, ReadOf } from "kubewright";
import { PersistentVolumeClaim, Pod } from "kubewright/k8s/core/v1";
import { createEtcdOperator } from "../create-etcd-operator.js";
import type { EtcdConnection, EtcdMember } from "../members/etcd-members.js";
import { EtcdCluster } from "../resources/etcd-cluster.js";
import { nodesOf, SimulatedEtcd } from "../simulation/simulated-etcd.js";
import type { CrashPoints } from "./crash-points.js";

/** A cluster with simulated nodes and simulated members, and the operator on it. */
export interface EtcdTestCluster extends AsyncDisposable {
  readonly cluster: TestCluster;
  readonly operator: Operator;
  readonly etcd: SimulatedEtcd;
  /** How often the operator was started again after a crash. */
  readonly restarts: number;
  create(name: string, spec: object): Promise<void>;
  patch(name: string, spec: object): Promise<void>;
  /** Waits until nothing is in progress, at most half an hour of virtual time. */
  converge(name: string): Promise<void>;
  /** Waits until a condition holds, at most half an hour of virtual time. Starts the operator again after a crash. */
  until(what: string, condition: () => Promise<boolean>): Promise<void>;
  /** The Service for clients. */
  client(name: string): EtcdConnection;
  /** The member list, by name. */
  members(name: string): Promise<readonly string[]>;
  list(name: string): Promise<readonly EtcdMember[]>;
  pods(name: string): Promise<readonly ReadOf<typeof Pod>[]>;
  volumes(name: string): Promise<readonly ReadOf<typeof PersistentVolumeClaim>[]>;
  /** Fails the Pod of a member, as a kubelet does when etcd exits. */
  fail(pod: string): Promise<void>;
}

const signal = new AbortController().signal;

export async function etcdTestCluster({
  crashes,
  restorePort,
  ...options
}: TestClusterOptions & {
  readonly crashes?: CrashPoints;
  /** Where the operator serves the snapshots of restores. @default nowhere */
  readonly restorePort?: number;
} = {}): Promise<EtcdTestCluster> {
  const etcd = new SimulatedEtcd();
  const operator = createEtcdOperator({
    etcd: crashes?.members(etcd) ?? etcd,
    ...(restorePort && { restorePort, restoreServerUrl: `http://127.0.0.1:${restorePort}` }),
  });
  const cluster = await testCluster(operator, {
    // A real control plane has no nodes.
    on: "embedded",
    workloads: true,
    ...(crashes && { wrapTransport: (transport) => crashes.transport(transport) }),
    ...options,
  });
  etcd.connect(nodesOf(cluster), () => cluster.clock.now());
  const labelsOf = (name: string) => ({ labels: { etcd_cluster: name } });
  const client = (name: string): EtcdConnection => ({ url: `http://${name}-client.default.svc:2379` });
  const list = (name: string) => etcd.list(client(name), { signal, linearizable: true });
  let restarts = 0;
  const until = async (what: string, condition: () => Promise<boolean>): Promise<void> => {
    for (let round = 0; round < 90; round++) {
      await cluster.advance("20s", { allowFailing: true });
      if (crashes?.hasCrashed === true) {
        await cluster.stopOperator();
        crashes.restart();
        restarts++;
        await cluster.startOperator();
      } else if (await condition()) return;
    }
    throw new Error(what);
  };
  return {
    cluster,
    operator,
    etcd,
    get restarts() {
      return restarts;
    },
    client,
    list,
    create: async (name, spec) =>
      void (await cluster.create(EtcdCluster, { metadata: { name }, spec: spec as { size: number } })),
    patch: async (name, spec) => void (await cluster.patch(EtcdCluster, name, { merge: { spec } })),
    until,
    converge: async (name) => {
      try {
        await until(`EtcdCluster "${name}" did not converge`, async () => {
          const { spec, status } = await cluster.get(EtcdCluster, name);
          const { Recovering, Scaling, Upgrading } = await cluster.conditions(EtcdCluster, name);
          const isIdle = [Recovering, Scaling, Upgrading].every((one) => one === undefined);
          return status?.phase === "Running" && isIdle && status.members?.ready?.length === spec.size;
        });
      } catch (cause) {
        const { status } = await cluster.get(EtcdCluster, name);
        throw new Error(`EtcdCluster "${name}" did not converge: ${JSON.stringify(status)}`, { cause });
      }
    },
    members: async (name) => (await list(name)).map((member) => member.name).toSorted(),
    pods: async (name) => {
      const pods: ReadOf<typeof Pod>[] = [];
      for await (const pod of cluster.list(Pod, labelsOf(name))) pods.push(pod);
      return pods;
    },
    volumes: async (name) => {
      const volumes: ReadOf<typeof PersistentVolumeClaim>[] = [];
      for await (const volume of cluster.list(PersistentVolumeClaim, labelsOf(name))) volumes.push(volume);
      return volumes;
    },
    fail: async (pod) => void (await cluster.patchStatus(Pod, pod, { merge: { status: { phase: "Failed" } } })),
    [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose](),
  };
}
