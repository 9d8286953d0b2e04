import { expect, test } from "vitest";
import { RequestMetrics } from "./index.js";

const pods = { group: "", version: "v1", plural: "pods" };

test("requests are counted by labels and status, and their durations in cumulative buckets", () => {
  const metrics = new RequestMetrics();
  const first = metrics.series(pods, "", "GET", "resource");
  first.count(200);
  first.count(404);
  first.durations.observe(0.01);
  // A changed CustomResourceDefinition makes a new object for the same resource.
  const second = metrics.series({ ...pods }, "", "GET", "resource");
  second.count(200);
  second.durations.observe(100);
  const labels =
    'component="apiserver",dry_run="",verb="GET",group="",version="v1",resource="pods",subresource="",scope="resource"';
  const text = metrics.write();
  expect(text).toContain(`apiserver_request_total{${labels},code="200"} 2\n`);
  expect(text).toContain(`apiserver_request_total{${labels},code="404"} 1\n`);
  expect(text).toContain(`apiserver_request_duration_seconds_bucket{${labels},le="0.005"} 0\n`);
  expect(text).toContain(`apiserver_request_duration_seconds_bucket{${labels},le="0.025"} 1\n`);
  expect(text).toContain(`apiserver_request_duration_seconds_bucket{${labels},le="+Inf"} 2\n`);
  expect(text).toContain(`apiserver_request_duration_seconds_count{${labels}} 2\n`);
});

test("a watch is counted while it is open and has no duration", () => {
  const metrics = new RequestMetrics();
  const streams = Array.from({ length: 200 }, () => ({ closed: false }));
  for (const stream of streams) metrics.series(pods, "", "WATCH", "cluster").add(stream);
  for (const stream of streams.slice(1)) stream.closed = true;
  const text = metrics.write();
  expect(text).toMatch(/^apiserver_longrunning_requests\{.*verb="WATCH".*\} 1$/m);
  expect(text).not.toMatch(/^apiserver_request_duration_seconds_count/m);
});
