import { expect, test } from "vitest";
import { KubeletUsage, type MeasuredUsage } from "./kubelet-usage.js";

/** What a kubelet serves about its node and a container that started at second 100. */
function metrics(second: number, nodeCpu: number, containerCpu: number, startSecond = 100): string {
  const labels = '{container="main",namespace="default",pod="web"}';
  return `# TYPE node_cpu_usage_seconds_total counter
node_cpu_usage_seconds_total ${nodeCpu} ${second * 1_000}
node_memory_working_set_bytes 2048 ${second * 1_000}
container_cpu_usage_seconds_total${labels} ${containerCpu} ${second * 1_000}
container_memory_working_set_bytes${labels} 1.048576e+06 ${second * 1_000}
container_start_time_seconds${labels} ${startSecond}
resource_scrape_error 0
`;
}

const show = (measured: MeasuredUsage | undefined): unknown =>
  measured && [measured.timeMs, measured.windowMs, measured.usage.cpu.toString(), measured.usage.memory.toString()];

test("CPU usage is the rate between two measurements", () => {
  const usage = new KubeletUsage();
  usage.update(metrics(200, 10, 5));
  expect([usage.node, usage.container("default", "web", "main")]).toEqual([undefined, undefined]);
  usage.update(metrics(210, 25, 7.5));
  expect(show(usage.node)).toEqual([210_000, 10_000, "1500m", "2Ki"]);
  expect(show(usage.container("default", "web", "main"))).toEqual([210_000, 10_000, "250m", "1Mi"]);
  expect(usage.container("default", "web", "other")).toBeUndefined();
});

test("a container that started a few seconds ago is measured from its start", () => {
  const usage = new KubeletUsage();
  usage.update(metrics(105, 0, 1));
  expect(usage.container("default", "web", "main")).toBeUndefined();
  const young = new KubeletUsage();
  young.update(metrics(120, 0, 2));
  expect(show(young.container("default", "web", "main"))).toEqual([120_000, 20_000, "100m", "1Mi"]);
});

test("a measurement that was read twice keeps its usage, and a container that was restarted has none", () => {
  const usage = new KubeletUsage();
  usage.update(metrics(200, 10, 5));
  usage.update(metrics(210, 25, 7.5));
  const before = show(usage.container("default", "web", "main"));
  usage.update(metrics(210, 25, 7.5));
  expect(show(usage.container("default", "web", "main"))).toEqual(before);
  usage.update(metrics(220, 30, 8, 219));
  expect(usage.container("default", "web", "main")).toBeUndefined();
  expect(show(usage.node)).toEqual([220_000, 10_000, "500m", "2Ki"]);
});

test("what is malformed is ignored", () => {
  const usage = new KubeletUsage();
  for (const text of ["", "node_cpu_usage_seconds_total", "node_cpu_usage_seconds_total x y", "}{ 1 2\n\0"]) {
    usage.update(text);
    expect(usage.node).toBeUndefined();
  }
});
