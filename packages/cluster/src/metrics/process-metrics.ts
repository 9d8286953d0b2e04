import { metric, sample } from "./metrics-text.js";

/** CPU, memory and start time of this process, with the metric names of Prometheus' client libraries. */
export function processMetrics(nowMs: number): string {
  const { user, system } = process.cpuUsage();
  const gauge = (name: string, help: string, value: number): string =>
    metric({ name, type: "gauge", help }, sample(name, "", value));
  const cpu = "process_cpu_seconds_total";
  return [
    metric({ name: cpu, type: "counter", help: "CPU time in seconds." }, sample(cpu, "", (user + system) / 1e6)),
    gauge("process_resident_memory_bytes", "Resident memory in bytes.", process.memoryUsage.rss()),
    gauge(
      "process_start_time_seconds",
      "Start time of the process since unix epoch in seconds.",
      nowMs / 1_000 - process.uptime(),
    ),
  ].join("");
}
