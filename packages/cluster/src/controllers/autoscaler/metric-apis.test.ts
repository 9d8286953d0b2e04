import type { Transport, TransportRequest } from "@kubewright/core/transport";
import { createClient } from "kubewright";
import { expect, test } from "vitest";
import { startVirtualCluster } from "../../../test/virtual-cluster.js";
import { MetricApis } from "./metric-apis.js";

const group = {
  name: "custom.metrics.k8s.io",
  versions: [{ version: "v1beta1" }, { version: "v1beta2" }],
  preferredVersion: { version: "v1beta2" },
};
const root = "/apis/custom.metrics.k8s.io/v1beta2/namespaces/shop";

/** Adds custom metrics to a cluster's API, and records the requests for them. */
function withMetrics(inner: Transport, responses: Readonly<Record<string, object>>, requests: string[]): Transport {
  const response = (status: number, body: unknown) => ({ status, headers: {}, body });
  return {
    stream: (request) => inner.stream(request),
    close: () => inner.close(),
    send: async (request: TransportRequest) => {
      if (request.path === "/apis" && request.headers?.["accept"] === "application/json")
        return response(200, { kind: "APIGroupList", groups: [group] });
      if (!request.path.startsWith("/apis/custom.metrics")) return inner.send(request);
      requests.push(`${request.path}?${new URLSearchParams(request.query)}`);
      const found = responses[request.path];
      return found === undefined ? response(404, "404 page not found\n") : response(200, found);
    },
  };
}

test("MetricApis reads pod and object metrics from the custom metrics API", async () => {
  await using world = await startVirtualCluster({ nodes: 0 });
  const requests: string[] = [];
  const item = (name: string, value: string, more = {}) => ({
    describedObject: { name },
    timestamp: "2030-01-01T00:00:00Z",
    value,
    ...more,
  });
  const responses = {
    [`${root}/pods/*/hits`]: { items: [item("a", "1500m", { windowSeconds: 30 }), item("b", "2")] },
    [`${root}/ingresses.networking.k8s.io/front/hits`]: { items: [item("front", "2k")] },
    [`${root}/metrics/hits`]: { items: [item("shop", "7")] },
    [`${root}/services/none/hits`]: { items: [] },
  };
  const apis = new MetricApis(createClient(withMetrics(world.cluster.transport, responses, requests)));
  const atMs = Date.parse("2030-01-01T00:00:00Z");
  expect(await apis.podMetric("shop", "app=web", "hits", "verb=GET")).toEqual(
    new Map([
      ["a", { milli: 1_500n, atMs, windowMs: 30_000 }],
      ["b", { milli: 2_000n, atMs, windowMs: 60_000 }],
    ]),
  );
  const ingress = { apiVersion: "networking.k8s.io/v1", kind: "Ingress", name: "front" };
  expect(await apis.objectMetric("shop", ingress, "hits", "")).toBe(2_000_000n);
  expect(await apis.objectMetric("shop", { kind: "Namespace", name: "any" }, "hits", "")).toBe(7_000n);
  expect(requests).toEqual([
    `${root}/pods/*/hits?labelSelector=app%3Dweb&metricLabelSelector=verb%3DGET`,
    `${root}/ingresses.networking.k8s.io/front/hits?`,
    `${root}/metrics/hits?`,
  ]);
  const of = (kind: string, name: string) => apis.objectMetric("shop", { apiVersion: "v1", kind, name }, "hits", "");
  const failed = "unable to fetch metrics from custom metrics API: ";
  await expect(of("Service", "front")).rejects.toThrow(
    `${failed}the server could not find the requested resource (get services.custom.metrics.k8s.io front)`,
  );
  await expect(of("Service", "none")).rejects.toThrow(
    `${failed}the custom metrics API server returned 0 results when we asked for exactly one`,
  );
  await expect(of("Thing", "x")).rejects.toThrow(
    `${failed}unable to map kind Thing to resource: no matches for kind "Thing" in group ""`,
  );
});
