import { FakeClock } from "@kubewright/core/clock";
import { expect, test } from "vitest";
import { startOurSide } from "./our-side.js";

const pods = "/api/v1/namespaces/default/pods";

test("the fake kubelet runs pods of its nodes, terminates them on request, and removes deleted ones", async () => {
  await using side = await startOurSide();
  const { transport, kubelet, view } = side;
  await kubelet.addNode({ name: "n1" });
  const phases = (): unknown[] => view.list("Pod", "default").map(({ object }) => object["status"]);
  const make = async (name: string, nodeName: string): Promise<void> => {
    const spec = { nodeName, containers: [{ name: "app", image: "app:1" }] };
    const { status } = await transport.send({ method: "POST", path: pods, body: { metadata: { name }, spec } });
    expect(status).toBe(201);
    await side.settle("default");
  };
  await make("here", "n1");
  expect(phases()).toMatchObject([{ phase: "Running", podIP: "10.64.0.2" }]);
  const [pod] = view.list("Pod", "default");
  if (pod) kubelet.setPod(pod.object, "exit 3");
  await side.settle("default");
  expect(phases()).toMatchObject([
    { phase: "Failed", containerStatuses: [{ state: { terminated: { exitCode: 3 } } }] },
  ]);
  await transport.send({ method: "DELETE", path: `${pods}/here` });
  await side.settle("default");
  expect(phases()).toEqual([]);
  await make("elsewhere", "n2");
  expect(phases()).toMatchObject([{ phase: "Pending" }]);
});

test("virtual time passes on our side", async () => {
  await using side = await startOurSide();
  const before = side.clock.now();
  await side.pass(90);
  expect(side.clock.now() - before).toBe(90_000);
  expect(side.clock).toBeInstanceOf(FakeClock);
});
