/** Containers on a real node, through kubectl: the same on the embedded control plane and on the real one. */
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { testContainers } from "./containers.js";
import { leftoversOf, tracesOf } from "./leftovers.js";
import { manifests } from "./manifests.js";
import { testNamesAndServices } from "./names-and-services.js";
import { canRunNodes, limitMs, type NodeWorld, planes, startNodeWorld } from "./node-world.js";
import { testStorage } from "./storage.js";
import { testWorkloads } from "./workloads.js";

vi.setConfig({ testTimeout: limitMs });

describe.skipIf(!canRunNodes).each(planes)("a real node on %s", (_, startPlane) => {
  let started: NodeWorld | undefined;
  const world = (): NodeWorld => started as NodeWorld;

  beforeAll(async () => {
    started = await startNodeWorld(startPlane);
    await started.apply(manifests);
    await started.run("rollout status deployment/web --timeout=90s");
    await started.run("rollout status daemonset/agent --timeout=90s");
  }, 300_000);

  afterAll(async () => started?.stop(), 120_000);

  test("the API server forwards a request to a Service, whose pods have the values of their ConfigMap", async () => {
    expect(await world().run("get --raw /api/v1/namespaces/default/services/web/proxy/")).toMatch(/^web-\S+ hello$/);
  });

  testContainers(world);
  testNamesAndServices(world);
  testStorage(world);
  testWorkloads(world);

  test("a stopped node leaves nothing on the machine", async () => {
    const { node, place } = world();
    const traces = tracesOf(place.nodeAddress);
    expect(traces.length).toBeGreaterThan(6);
    await node.stop();
    expect(await leftoversOf(place.nodeAddress, traces)).toEqual([]);
  });
});
