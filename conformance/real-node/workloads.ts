import { expect, test } from "vitest";
import { type NodeWorld, until } from "./node-world.js";

/** Tests of workload kinds. */
export function testWorkloads(world: () => NodeWorld): void {
  test("a Job completes, and its log is read", async () => {
    const { run } = world();
    await run("wait --for=condition=complete job/once --timeout=60s");
    expect(await run("logs job/once")).toBe("done");
  });

  test("a pod lists pods with its projected token, through the Service kubernetes", async () => {
    const { run } = world();
    await run("wait --for=condition=complete job/in-cluster --timeout=60s");
    expect(await run("logs job/in-cluster")).toBe("200 PodList");
  });

  test("an unmodified program on client-go lists pods from inside a pod", async () => {
    const { run, podOf } = world();
    await run("wait --for=condition=complete job/client-go --timeout=60s");
    expect((await run("logs job/client-go")).split("\n")).toContain(await podOf("client-go"));
  });

  test("a Deployment is scaled, and rolled out without a pod too many", async () => {
    const { run } = world();
    await run("scale deployment/web --replicas=4");
    await run("rollout status deployment/web --timeout=60s");
    await run("set env deployment/web COLOUR=green");
    await run("rollout status deployment/web --timeout=90s");
    const colours = await run("get pods -l app=web -o jsonpath={.items[*].spec.containers[0].env[0].value}");
    expect(colours.split(" ").filter((value) => value === "green")).toHaveLength(4);
  });

  test("a drain respects a PodDisruptionBudget, and evicts the pods once it allows that", async () => {
    const { apply, run } = world();
    const budget = (least: number) => `
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: web }
spec: { minAvailable: ${least}, selector: { matchLabels: { app: web } } }
`;
    await apply(budget(4));
    await run("wait --for=jsonpath={.status.expectedPods}=4 pdb/web --timeout=60s");
    const drain = "drain real --pod-selector=app=web --ignore-daemonsets";
    await expect(run(`${drain} --timeout=3s`)).rejects.toMatchObject({
      stderr: expect.stringContaining("Cannot evict pod as it would violate the pod's disruption budget"),
    });
    await apply(budget(0));
    await run(`${drain} --timeout=90s`);
    const phases = "get pods -l app=web -o jsonpath={.items[*].status.phase}";
    await until(async () => (await run(phases)) === "Pending Pending Pending Pending");
    await run("uncordon real");
    await run("rollout status deployment/web --timeout=90s");
    await run("delete pdb web");
  });

  test("a CronJob starts a Job each minute", async () => {
    const { run } = world();
    await until(async () =>
      (await run("get pods -l app=every-minute -o jsonpath={.items[*].status.phase}")).startsWith("Succeeded"),
    );
    expect(await run("logs -l app=every-minute")).toContain("minute");
    await run("delete cronjob every-minute");
  });

  test("a deleted pod gets its grace period, and is gone", async () => {
    const { run } = world();
    await run("delete daemonset/agent --wait=true --timeout=60s");
    await run("wait --for=delete pod -l app=agent --timeout=60s");
    expect(await run("get pods -l app=agent -o name")).toBe("");
  });
}
