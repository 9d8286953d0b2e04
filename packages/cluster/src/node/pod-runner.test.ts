import { Event, Node, Pod } from "kubewright/k8s/core/v1";
import { expect, test } from "vitest";
import { startVirtualCluster } from "../../test/virtual-cluster.js";
import { PodStage, type PodStageSpec, silentAnnotation } from "./index.js";

async function start() {
  const world = await startVirtualCluster({ nodes: 1 });
  const { client } = world;
  const stage = (spec: PodStageSpec) => client.create(PodStage, { metadata: { name: "stage" }, spec });
  const create = (name: string, more: object = {}) =>
    client.create(Pod, {
      metadata: { name, labels: { app: "web" } },
      spec: { nodeName: "node-1", containers: [{ name: "main", image: "web:1" }], ...more },
    });
  /** Phase, readiness, first container state and restart count. */
  const look = async (name: string): Promise<string> => {
    const { status } = await client.get(Pod, name);
    const ready = status?.conditions?.find(({ type }) => type === "Ready")?.status;
    const [main] = status?.containerStatuses ?? [];
    const { waiting, running, terminated } = main?.state ?? {};
    const containerState = waiting?.reason ?? terminated?.reason ?? (running === undefined ? "none" : "running");
    return `${status?.phase} ${ready === "True" ? "ready" : "unready"} ${containerState} ${main?.restartCount ?? 0}`;
  };
  return { ...world, create, look, stage };
}

test("a Pod becomes ready immediately, with the IP, statuses and events of a kubelet, and is removed after deletion", async () => {
  await using world = await start();
  const { client, rest, create } = world;
  await create("one", { initContainers: [{ name: "first", image: "init:1" }] });
  await create("two");
  await rest();
  const pod = await client.get(Pod, "one");
  expect(pod.status).toMatchObject({
    phase: "Running",
    podIP: "10.244.0.2",
    hostIP: "172.18.0.2",
    initContainerStatuses: [{ name: "first", ready: true, state: { terminated: { exitCode: 0 } } }],
    containerStatuses: [{ name: "main", ready: true, started: true, restartCount: 0, image: "web:1" }],
  });
  expect(pod.status?.conditions?.map(({ type, status }) => `${type} ${status}`).sort()).toEqual([
    "ContainersReady True",
    "Initialized True",
    "PodReadyToStartContainers True",
    "PodScheduled True",
    "Ready True",
  ]);
  expect((await client.get(Pod, "two")).status?.podIP).toBe("10.244.0.3");
  await client.delete(Pod, "one");
  await rest();
  expect(await client.find(Pod, "one")).toBeUndefined();
  const { items } = await client.listPage(Event);
  const reasons = items.filter(({ involvedObject }) => involvedObject.name === "two").map(({ reason }) => reason);
  expect(reasons.sort()).toEqual(["Created", "Pulled", "Started"]);
  expect(items.some(({ reason, message }) => reason === "Killing" && message === "Stopping container main")).toBe(true);
});

test("a container whose image is changed is restarted, also with restartPolicy Never", async () => {
  await using world = await start();
  const { client, rest, create, look } = world;
  await create("one", { restartPolicy: "Never" });
  await rest();
  const idOf = async () => (await client.get(Pod, "one")).status?.containerStatuses?.[0]?.containerID;
  const before = await idOf();
  await client.patch(Pod, "one", { strategic: { spec: { containers: [{ name: "main", image: "web:2" }] } } });
  await rest();
  expect(await look("one")).toBe("Running ready running 1");
  expect(await idOf()).not.toBe(before);
  await client.patch(Pod, "one", { merge: { metadata: { labels: { other: "label" } } } });
  await rest();
  expect(await look("one")).toBe("Running ready running 1");
});

test("an ephemeral container waits, runs and terminates with its Pod", async () => {
  await using world = await start();
  const { client, advance, create, stage, rest } = world;
  await stage({ start: { delay: "3s" }, run: { for: "5s", exitCode: 0 } });
  await create("job", { restartPolicy: "Never" });
  const debuggers = [{ name: "debug", image: "busybox:1", targetContainerName: "main" }];
  const patch = { spec: { ephemeralContainers: debuggers } };
  await client.subresource(Pod, "job", "ephemeralcontainers", Pod).patch({ strategic: patch });
  const statusOf = async () => (await client.get(Pod, "job")).status?.ephemeralContainerStatuses;
  await rest();
  expect(await statusOf()).toMatchObject([{ name: "debug", state: { waiting: { reason: "ContainerCreating" } } }]);
  await advance(3);
  expect(await statusOf()).toMatchObject([{ name: "debug", ready: false, image: "busybox:1", state: { running: {} } }]);
  await advance(5);
  expect(await statusOf()).toMatchObject([{ name: "debug", state: { terminated: { exitCode: 137 } } }]);
});

test("a PodStage delays start, readiness and termination, and readiness gates are respected", async () => {
  await using world = await start();
  const { client, advance, create, look, stage, rest } = world;
  await stage({ pull: { delay: "2s" }, start: { delay: "3s" }, ready: { delay: "5s" }, stop: { delay: "4s" } });
  await create("slow", { readinessGates: [{ conditionType: "example.com/open" }] });
  await rest();
  expect(await look("slow")).toBe("Pending unready ContainerCreating 0");
  await advance(5);
  expect(await look("slow")).toBe("Running unready running 0");
  await advance(5);
  const closed = await client.get(Pod, "slow");
  expect(closed.status?.conditions?.find(({ type }) => type === "Ready")).toMatchObject({
    status: "False",
    reason: "ReadinessGatesNotReady",
  });
  const open = [{ type: "example.com/open", status: "True" }];
  await client.patchStatus(Pod, "slow", { strategic: { status: { conditions: open } } });
  await rest();
  expect(await look("slow")).toBe("Running ready running 0");
  await client.delete(Pod, "slow");
  await advance(3);
  expect(await look("slow")).toBe("Running ready running 0");
  await advance(1);
  expect(await client.find(Pod, "slow")).toBeUndefined();
});

test("a crashing container restarts immediately, then with exponential backoff, and recovers when its PodStage is deleted", async () => {
  await using world = await start();
  const { client, advance, create, look, stage, rest } = world;
  await stage({ selector: { matchLabels: { app: "web" } }, run: { for: "1s", exitCode: 1 } });
  await create("loop");
  await create("once", { restartPolicy: "Never" });
  await rest();
  expect(await look("loop")).toBe("Running ready running 0");
  await advance(1);
  expect([await look("loop"), await look("once")]).toEqual(["Running ready running 1", "Failed unready Error 0"]);
  await advance(1);
  expect(await look("loop")).toBe("Running unready CrashLoopBackOff 1");
  await advance(10);
  expect(await look("loop")).toBe("Running ready running 2");
  await advance(1);
  expect((await client.get(Pod, "loop")).status?.containerStatuses?.[0]).toMatchObject({
    state: { waiting: { reason: "CrashLoopBackOff", message: "back-off 20s restarting failed container=main" } },
    lastState: { terminated: { exitCode: 1, reason: "Error" } },
  });
  await client.delete(PodStage, "stage");
  await advance(60);
  expect(await look("loop")).toBe("Running ready running 2");
});

test("a PodStage simulates image pull failures, lost readiness and container termination", async () => {
  await using world = await start();
  const { client, advance, create, look, stage, rest } = world;
  await create("well");
  await rest();
  await stage({ unready: { after: "2s", for: "3s" } });
  await advance(2);
  expect(await look("well")).toBe("Running unready running 0");
  await advance(3);
  expect(await look("well")).toBe("Running ready running 0");
  await client.delete(PodStage, "stage");
  await stage({ pull: { fails: true } });
  await create("stuck");
  await rest();
  expect(await look("stuck")).toBe("Pending unready ErrImagePull 0");
  await advance(2);
  expect(await look("stuck")).toBe("Pending unready ImagePullBackOff 0");
  // A running container already has its image.
  expect(await look("well")).toBe("Running ready running 0");
  await client.patch(PodStage, "stage", {
    merge: { spec: { pull: null, run: { exitCode: 137, reason: "OOMKilled", times: 1 } } },
  });
  await rest();
  expect(await look("stuck")).toBe("Running ready running 1");
  expect((await client.get(Pod, "stuck")).status?.containerStatuses?.[0]?.lastState?.terminated?.reason).toBe(
    "OOMKilled",
  );
});

test("nodes renew their Leases, and a silent node and its Pods receive no updates", async () => {
  await using world = await start();
  const { client, advance, create, look, rest } = world;
  const { Lease } = await import("kubewright/k8s/coordination/v1");
  const lease = async () => (await client.get(Lease, { namespace: "kube-node-lease", name: "node-1" })).spec?.renewTime;
  const first = await lease();
  await advance(10);
  const second = await lease();
  expect(second).not.toBe(first);
  await client.patch(Node, "node-1", { merge: { metadata: { annotations: { [silentAnnotation]: "yes" } } } });
  await rest();
  await create("late");
  await advance(30);
  expect(await lease()).toBe(second);
  expect((await client.get(Pod, "late")).status?.phase).toBe("Pending");
  const notReady = [{ type: "Ready", status: "Unknown" }];
  await client.patchStatus(Node, "node-1", { strategic: { status: { conditions: notReady } } });
  await client.patch(Node, "node-1", { merge: { metadata: { annotations: { [silentAnnotation]: null } } } });
  await rest();
  expect(await look("late")).toBe("Running ready running 0");
  const node = await client.get(Node, "node-1");
  expect(node.status?.conditions?.find(({ type }) => type === "Ready")?.status).toBe("True");
});
