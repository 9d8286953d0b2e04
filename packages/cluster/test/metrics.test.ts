import { expect, test } from "vitest";
import { startCluster } from "../src/index.js";

test("/metrics counts requests, open watches and stored objects in the Prometheus text format", async () => {
  await using cluster = await startCluster();
  const { transport } = cluster;
  const aborting = new AbortController();
  await transport.send({ method: "GET", path: "/api/v1/namespaces/default" });
  await transport.send({ method: "GET", path: "/api/v1/namespaces/none" });
  const query = { watch: "true" };
  await transport.stream({ method: "GET", path: "/api/v1/pods", query, signal: aborting.signal });
  const read = async (): Promise<string> => {
    const { status, headers, body } = await transport.send({ method: "GET", path: "/metrics" });
    expect(status).toBe(200);
    expect(headers["content-type"]).toBe("text/plain; version=0.0.4; charset=utf-8");
    return String(body);
  };
  const text = await read();
  const namespaces = 'resource="namespaces",subresource="",scope="resource"';
  expect(text).toMatch(new RegExp(`^apiserver_request_total\\{.*verb="GET",.*${namespaces},code="200"\\} 1$`, "m"));
  expect(text).toMatch(new RegExp(`^apiserver_request_total\\{.*verb="GET",.*${namespaces},code="404"\\} 1$`, "m"));
  expect(text).toMatch(/^apiserver_longrunning_requests\{.*verb="WATCH",.*resource="pods".*\} 1$/m);
  expect(text).toMatch(/^apiserver_current_inflight_requests\{request_kind="mutating"\} 0$/m);
  expect(text).toMatch(/^apiserver_storage_objects\{resource="namespaces"\} 4$/m);
  expect(text).toMatch(/^process_resident_memory_bytes \d+$/m);
  aborting.abort();
  expect(await read()).toMatch(/^apiserver_longrunning_requests\{.*resource="pods".*\} 0$/m);
});
