import { PodStage } from "@kubewright/testing";
import { Pod } from "kubewright/k8s/core/v1";
import { expect, test } from "vitest";
import { EtcdCluster } from "../resources/etcd-cluster.js";
import { type EtcdTestCluster, etcdTestCluster } from "../testing/etcd-test-cluster.js";

const signal = new AbortController().signal;

async function versions(world: EtcdTestCluster): Promise<readonly string[]> {
  return (await world.pods("shop")).map(({ metadata }) => metadata.annotations?.["etcd.version"] ?? "").toSorted();
}

const slowStart = {
  metadata: { name: "slow" },
  spec: { selector: { matchLabels: { etcd_cluster: "shop" } }, start: { delay: "1s" } },
};

async function started(size = 3): Promise<EtcdTestCluster> {
  const world = await etcdTestCluster();
  await world.create("shop", { size, version: "3.5.21" });
  await world.converge("shop");
  return world;
}

test("members are upgraded one by one, in their Pods, the leader last", async () => {
  await using world = await started();
  const { cluster, etcd } = world;
  const uids = (await world.pods("shop")).map(({ metadata }) => metadata.uid);
  const leader = async (): Promise<string> => {
    const { leaderId } = await etcd.status(world.client("shop"), { signal });
    return (await world.list("shop")).find(({ id }) => id === leaderId)?.name ?? "";
  };
  const first = await leader();
  await cluster.create(PodStage, slowStart);
  await world.patch("shop", { version: "v3.6.4" });
  const seen: string[] = [];
  for (let step = 0; step < 80; step++) {
    await cluster.advance("250ms");
    const now = (await versions(world)).join(" ");
    if (seen.at(-1) !== now) seen.push(now);
    const upgraded = (await cluster.get(Pod, first)).metadata.annotations?.["etcd.version"] === "3.6.4";
    if (upgraded && now.includes("3.5.21")) throw new Error("The leader was not the last");
  }
  await world.converge("shop");
  expect(seen).toEqual(["3.5.21 3.5.21 3.6.4", "3.5.21 3.6.4 3.6.4", "3.6.4 3.6.4 3.6.4"]);
  expect(await leader()).not.toBe(first);
  expect((await world.pods("shop")).map(({ metadata }) => metadata.uid)).toEqual(uids);
  const { status } = await cluster.get(EtcdCluster, "shop");
  expect(status).toMatchObject({ currentVersion: "3.6.4", serverVersion: "3.6.4" });
  expect(status?.targetVersion).toBeUndefined();
});

test("a second upgrade during one takes over, and ends with one version", async () => {
  await using world = await started();
  await world.cluster.create(PodStage, slowStart);
  await world.patch("shop", { version: "3.5.22" });
  await world.cluster.advance("1s");
  expect(new Set(await versions(world)).size).toBe(2);
  await world.patch("shop", { version: "3.6.1" });
  await world.converge("shop");
  expect(await versions(world)).toEqual(["3.6.1", "3.6.1", "3.6.1"]);
  expect(world.etcd.violations).toEqual([]);
});

test("an upgrade whose image cannot be pulled stops at one member, and returns to the version before", async () => {
  await using world = await started();
  const { cluster } = world;
  await cluster.create(PodStage, {
    metadata: { name: "missing" },
    spec: { selector: { matchLabels: { etcd_cluster: "shop" } }, pull: { fails: true } },
  });
  await cluster.settle();
  await world.patch("shop", { version: "3.5.99" });
  await cluster.advance("3m", { allowFailing: true });
  expect(await versions(world)).toEqual(["3.5.21", "3.5.21", "3.5.99"]);
  expect((await cluster.conditions(EtcdCluster, "shop")).Upgrading?.reason).toBe("WaitingForMember");
  expect((await cluster.conditions(EtcdCluster, "shop")).Available?.status).toBe("True");
  await cluster.delete(PodStage, "missing");
  await world.patch("shop", { version: "3.5.21" });
  await world.converge("shop");
  expect(await versions(world)).toEqual(["3.5.21", "3.5.21", "3.5.21"]);
});

test("no member is upgraded while another one is not healthy", async () => {
  await using world = await started();
  const { cluster } = world;
  const [slow = ""] = await world.members("shop");
  const stage = { selector: { matchLabels: { etcd_node: slow } }, ready: { never: true } };
  await cluster.create(PodStage, { metadata: { name: "unready" }, spec: stage });
  await cluster.settle();
  await world.patch("shop", { version: "3.5.22" });
  await cluster.advance("1m");
  expect(new Set(await versions(world))).toEqual(new Set(["3.5.21"]));
  expect((await cluster.conditions(EtcdCluster, "shop")).Upgrading).toMatchObject({
    reason: "WaitingForMember",
    message: expect.stringContaining(slow),
  });
  await cluster.delete(PodStage, "unready");
  await world.converge("shop");
  expect(new Set(await versions(world))).toEqual(new Set(["3.5.22"]));
});

test("downgrades, skipped minor versions and unsafe sizes are rejected with the reason", async () => {
  await using world = await started(1);
  const whyNot = (spec: object): Promise<string> =>
    world.patch("shop", spec).then(
      () => "accepted",
      (error: Error) => error.message,
    );
  expect(await whyNot({ version: "3.5.20" })).toContain("etcd cannot be downgraded: the members run 3.5.21");
  expect(await whyNot({ version: "3.7.0" })).toContain(
    "etcd is upgraded by one minor version at a time: the members run 3.5.21",
  );
  expect(await whyNot({ size: 0 })).toContain("greater than or equal to 1");
  expect(await whyNot({ size: 8 })).toContain("less than or equal to 7");
  expect(await whyNot({ pod: { labels: { etcd_node: "x" } } })).toContain(
    'labels that begin with "etcd_" are reserved',
  );
  expect(await whyNot({ version: "3.6.0" })).toBe("accepted");
});

test("a version that was stored without the rules is not applied, and a condition says why", async () => {
  await using world = await etcdTestCluster();
  const { cluster } = world;
  await world.create("shop", { size: 1, version: "3.5.21", paused: true });
  await cluster.settle();
  // Before a member has reported its version, the rules of the definition cannot compare.
  await cluster.patch(EtcdCluster, "shop", { merge: { spec: { version: "3.7.0", paused: false } } });
  await world.converge("shop");
  expect(await versions(world)).toEqual(["3.7.0"]);
  await cluster.patchStatus(EtcdCluster, "shop", { merge: { status: { serverVersion: null } } });
  await world.patch("shop", { version: "3.5.21" });
  await cluster.advance("2m");
  expect(await versions(world)).toEqual(["3.7.0"]);
  expect((await cluster.conditions(EtcdCluster, "shop")).Blocked).toMatchObject({
    reason: "VersionNotSupported",
    message: expect.stringContaining("cannot be downgraded from 3.7.0 to 3.5.21"),
  });
});
