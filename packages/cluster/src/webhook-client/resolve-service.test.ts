import type { JsonObject } from "@kubewright/core/json";
import { expect, test } from "vitest";
import { Store } from "../storage/index.js";
import { serviceResolver } from "./resolve-service.js";

const spec = { clusterIP: "10.96.0.9", ports: [{ name: "hooks", port: 443, targetPort: 9443 }] };

/** Resolves port 443 of the Service `shop/hooks` among these objects. */
function resolved(service: JsonObject | undefined, ...slices: readonly JsonObject[]): unknown {
  const store = new Store();
  if (service !== undefined) store.put("services", "shop/hooks", 0, () => ({ spec: service }));
  for (const [index, one] of slices.entries())
    store.put("endpointslices.discovery.k8s.io", `shop/hooks-${index}`, 0, () => one);
  return serviceResolver(store)("shop", "hooks", 443);
}

function slice(service: string, ...endpoints: readonly JsonObject[]): JsonObject {
  return {
    metadata: { labels: { "kubernetes.io/service-name": service } },
    ports: [
      { name: "metrics", port: 8443 },
      { name: "hooks", port: 9443 },
    ],
    endpoints: [...endpoints],
  };
}

const endpoint = (address: string, ready?: boolean): JsonObject => ({
  addresses: [address],
  conditions: ready === undefined ? {} : { ready },
});

test("a Service resolves to a ready endpoint, at the port of its EndpointSlice", () => {
  const slices = [
    slice("other", endpoint("10.0.0.1", true)),
    slice("hooks", endpoint("10.0.0.2", false)),
    slice("hooks", endpoint("10.0.0.3", false), endpoint("10.0.0.4", true)),
  ];
  expect(resolved(spec, ...slices)).toEqual({ host: "10.0.0.4", port: 9443 });
  // Readiness that is not known counts as ready.
  expect(resolved(spec, slice("hooks", endpoint("10.0.0.5")))).toEqual({ host: "10.0.0.5", port: 9443 });
});

test("without a ready endpoint it is the ClusterIP; a headless Service is rejected", () => {
  expect(resolved(spec, slice("hooks", endpoint("10.0.0.2", false)))).toEqual({ host: "10.96.0.9", port: 443 });
  expect(() => resolved({ ...spec, clusterIP: "None" })).toThrow('no endpoints available for service "hooks"');
});

test("an ExternalName is the host; a missing Service, and a port that it does not have, are rejected", () => {
  expect(resolved({ type: "ExternalName", externalName: "hooks.example.com" })).toEqual({
    host: "hooks.example.com",
    port: 443,
  });
  expect(() => resolved(undefined)).toThrow('service "hooks" not found');
  expect(() => resolved({ ...spec, ports: [{ port: 80 }] })).toThrow('no service port 443 found for service "hooks"');
});
