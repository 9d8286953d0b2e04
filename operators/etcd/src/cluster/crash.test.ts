import { PersistentVolumeClaim, Pod } from "kubewright/k8s/core/v1";
import { expect, test } from "vitest";
import { EtcdCluster } from "../resources/etcd-cluster.js";
import { CrashPoints, crashStride } from "../testing/crash-points.js";
import { type EtcdTestCluster, etcdTestCluster } from "../testing/etcd-test-cluster.js";

const signal = new AbortController().signal;

/** What must be the same after a crash at any point: names are random, and left out. */
async function endState(world: EtcdTestCluster, name: string): Promise<object> {
  const { status } = await world.cluster.get(EtcdCluster, name);
  const pods = await world.pods(name);
  const members = await world.members(name);
  const volumes = await world.volumes(name);
  return {
    voters: (await world.list(name)).filter(({ isLearner }) => !isLearner).length,
    podsOfMembers: pods.map(({ metadata }) => metadata.name).filter((pod) => members.includes(pod)).length,
    pods: pods.length,
    volumesOfMembers: volumes.map(({ metadata }) => metadata.name).filter((one) => members.includes(one)).length,
    volumes: volumes.length,
    images: [...new Set(pods.map(({ spec }) => spec?.containers[0]?.image))],
    value: await world.etcd.get(world.client(name), "key", { signal }).catch(() => undefined),
    phase: status?.phase,
    conditions: Object.entries(await world.cluster.conditions(EtcdCluster, name)).map(
      ([type, condition]) => `${type} ${condition?.status} ${condition?.reason}`,
    ),
    recovery: status?.recovery,
    targetVersion: status?.targetVersion,
    violations: world.etcd.violations,
  };
}

interface Scenario {
  readonly what: string;
  /** Of the cluster before the change; undefined if the change creates it. */
  readonly size?: number;
  /** Makes one change. `round` counts the repetitions. */
  change(world: EtcdTestCluster, round: number): Promise<void>;
  /** Returns to the state before the change. */
  undo?(world: EtcdTestCluster): Promise<void>;
}

const patch = (change: (round: number) => object) => (world: EtcdTestCluster, round: number) =>
  world.patch("shop", change(round));

/** Loses the Pods and the volumes of all but some members. */
const lose = (left: number) => async (world: EtcdTestCluster) => {
  for (const name of (await world.members("shop")).slice(left)) {
    await world.cluster.delete(Pod, name);
    await world.cluster.delete(PersistentVolumeClaim, name);
  }
};

const scenarios: readonly Scenario[] = [
  {
    what: "creating",
    change: (world) => world.create("shop", { size: 1, version: "3.5.21" }),
    undo: async ({ cluster }) => {
      await cluster.delete(EtcdCluster, "shop");
      await cluster.settle();
    },
  },
  {
    what: "growing from one to two members",
    size: 1,
    change: patch(() => ({ size: 2 })),
    undo: (world) => world.patch("shop", { size: 1 }),
  },
  {
    what: "shrinking from two members to one",
    size: 2,
    change: patch(() => ({ size: 1 })),
    undo: (world) => world.patch("shop", { size: 2 }),
  },
  { what: "replacing a member whose data is gone", size: 3, change: lose(2) },
  { what: "recovering from a lost quorum", size: 2, change: lose(1) },
  { what: "upgrading three members", size: 3, change: patch((round) => ({ version: `3.5.${100 + round}` })) },
];

/** Runs a change without a crash, and then with one before and after each write. Returns the number of crashes. */
async function crashEverywhere(
  world: EtcdTestCluster,
  crashes: CrashPoints,
  { size, change, undo }: Scenario,
): Promise<number> {
  let round = 0;
  const attempt = async (
    at: number,
    side: "before" | "after",
  ): Promise<{ readonly state: object; readonly crashed: boolean }> => {
    crashes.arm(at, side);
    await change(world, round++);
    const before = world.restarts;
    await world.converge("shop");
    crashes.restart();
    return { state: await endState(world, "shop"), crashed: world.restarts > before };
  };
  const { state: expected } = await attempt(-1, "before");
  let crashed = 0;
  for (let at = 0; ; at += crashStride) {
    for (const side of ["before", "after"] as const) {
      await undo?.(world);
      if (size !== undefined) await world.converge("shop");
      const { state, crashed: hasCrashed } = await attempt(at, side);
      if (!hasCrashed) return crashed;
      crashed++;
      expect({ ...state, images: 1 }, `a crash ${side} write ${at}`).toEqual({ ...expected, images: 1 });
    }
  }
}

test.each(scenarios)(
  "a crash of the operator before or after any write while $what changes nothing in the end",
  async (scenario) => {
    const crashes = new CrashPoints();
    await using world = await etcdTestCluster({ crashes });
    if (scenario.size !== undefined) {
      await world.create("shop", { size: scenario.size, version: "3.5.21" });
      await world.converge("shop");
      await world.etcd.put(world.client("shop"), "key", "kept", { signal });
    }
    const points = await crashEverywhere(world, crashes, scenario);
    process.stdout.write(`${points} crash points while ${scenario.what}\n`);
    expect(points).toBeGreaterThan(3);
  },
);
