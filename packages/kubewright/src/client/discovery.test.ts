import { isNotFound, isOperatorError } from "@kubewright/core/errors";
import { expect, test } from "vitest";
import { failure, type ScriptedResponse, ScriptedTransport } from "../../test/scripted-transport.js";
import { createClient } from "./index.js";

const caught = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

interface Served {
  readonly kind: string;
  readonly resource: string;
  readonly shortNames?: readonly string[];
}

const verbs = ["get", "list"];

/** Responses of a server with aggregated discovery. */
function aggregated(groups: Readonly<Record<string, Readonly<Record<string, readonly Served[]>>>>) {
  return ({ path }: { readonly path: string }): ScriptedResponse => {
    const names = Object.keys(groups).filter((name) => (path === "/api" ? name === "" : name !== ""));
    const items = names.map((name) => ({
      metadata: { name },
      versions: Object.entries(groups[name] ?? {}).map(([version, resources]) => ({
        version,
        freshness: "Current",
        resources: resources.map(({ kind, resource, shortNames = [] }) => ({
          resource,
          responseKind: { kind },
          scope: "Namespaced",
          singularResource: kind.toLowerCase(),
          verbs,
          shortNames,
          subresources: [{ subresource: "status" }],
        })),
      })),
    }));
    return { body: { kind: "APIGroupDiscoveryList", items } };
  };
}

const widget = { kind: "Widget", resource: "widgets", shortNames: ["wi"] };

test("discovery is cached; an unknown name causes one refresh", async () => {
  const groups: Record<string, Record<string, Served[]>> = { "a.example.com": { v1: [widget] } };
  const transport = new ScriptedTransport(aggregated(groups));
  const client = createClient(transport);
  expect((await client.kind("wi")).id).toBe("a.example.com/v1/Widget");
  expect((await client.kind("widgets.a.example.com")).subresources).toEqual(["status"]);
  expect(transport.requests).toHaveLength(2);
  groups["b.example.com"] = { v1: [{ kind: "Gadget", resource: "gadgets" }] };
  expect((await client.kind("Gadget")).id).toBe("b.example.com/v1/Gadget");
  expect(transport.requests).toHaveLength(4);
  expect(isNotFound(await caught(client.kind("Nothing")))).toBe(true);
  expect(transport.requests).toHaveLength(6);
});

test("concurrent cache misses share one refresh", async () => {
  const transport = new ScriptedTransport(aggregated({ "a.example.com": { v1: [widget] } }));
  const client = createClient(transport);
  await client.kind("Widget");
  await Promise.all(["x", "y", "z"].map((name) => caught(client.kind(name))));
  expect(transport.requests).toHaveLength(4);
});

test("a failed discovery is not cached", async () => {
  let down = true;
  const serve = aggregated({ "a.example.com": { v1: [widget] } });
  const client = createClient(
    new ScriptedTransport((request) => (down ? failure(503, "ServiceUnavailable", "starting") : serve(request))),
  );
  expect(isOperatorError(await caught(client.kind("Widget")))).toBe(true);
  down = false;
  expect((await client.kind("Widget")).kind).toBe("Widget");
});

test("a 404 for a kind that is no longer served causes a refresh", async () => {
  const groups: Record<string, Record<string, Served[]>> = { "a.example.com": { v1: [widget] } };
  const discovery = aggregated(groups);
  const transport = new ScriptedTransport((request) =>
    request.path.endsWith("/widgets") ? { status: 404, body: "404 page not found" } : discovery(request),
  );
  const client = createClient(transport);
  const kind = await client.kind("Widget");
  groups["a.example.com"] = { v2: [widget] };
  expect(isNotFound(await caught(client.listPage(kind)))).toBe(true);
  expect((await client.kind("Widget")).id).toBe("a.example.com/v2/Widget");
});

test("without a version the server's preferred one is used, and each version can be named", async () => {
  const transport = new ScriptedTransport(aggregated({ "a.example.com": { v2: [widget], v1: [widget] } }));
  const client = createClient(transport);
  expect((await client.kind("widget")).version).toBe("v2");
  expect((await client.kind("widgets.v1.a.example.com")).version).toBe("v1");
  expect((await client.kind("a.example.com/v1/Widget")).version).toBe("v1");
  expect((await client.kind("a.example.com/Widget")).version).toBe("v2");
  expect((await client.kind({ group: "a.example.com", version: "v1", resource: "widgets" })).version).toBe("v1");
});

test("a name in several groups is rejected with its candidates; the group disambiguates", async () => {
  const client = createClient(
    new ScriptedTransport(aggregated({ "a.example.com": { v1: [widget] }, "b.example.com": { v1: [widget] } })),
  );
  const error = await caught(client.kind("wi"));
  expect(isOperatorError(error) && [error.code, error.message]).toEqual([
    "CONFIG_INVALID",
    'Cannot resolve kind "wi": it matches "a.example.com/v1/Widget", "b.example.com/v1/Widget"; name the group too',
  ]);
  expect((await client.kind("widgets.b.example.com")).group).toBe("b.example.com");
});

test("a plural, singular or short name in several groups resolves to the core group; an ambiguous kind is rejected", async () => {
  const pod = { kind: "Pod", resource: "pods", shortNames: ["po"] };
  const metrics = { kind: "PodMetrics", resource: "pods" };
  const groups = { "": { v1: [pod] }, "b.example.com": { v1: [pod] }, "metrics.k8s.io": { v1beta1: [metrics] } };
  const client = createClient(new ScriptedTransport(aggregated(groups)));
  for (const name of ["pods", "pod", "po"]) expect((await client.kind(name)).id).toBe("/v1/Pod");
  expect((await client.kind("pods.metrics.k8s.io")).kind).toBe("PodMetrics");
  expect((await client.kind("PodMetrics")).group).toBe("metrics.k8s.io");
  expect(isOperatorError(await caught(client.kind("Pod")))).toBe(true);
});

test("the error for an unknown name suggests similar kinds", async () => {
  const client = createClient(new ScriptedTransport(aggregated({ "a.example.com": { v1: [widget] } })));
  const error = await caught(client.kind("Wigdet"));
  expect(isNotFound(error) && error.message).toBe(
    'Cannot find kind "Wigdet": the server serves no such kind; did you mean "a.example.com/v1/Widget"',
  );
  expect(String(await caught(client.kind("constructor")))).toContain('Cannot find kind "constructor"');
});

test("without aggregated discovery each group version is requested; one that fails does not affect the others", async () => {
  const resources = [
    { name: "widgets", singularName: "widget", namespaced: false, kind: "Widget", verbs, shortNames: ["wi"] },
    { name: "widgets/scale", singularName: "", namespaced: false, kind: "Scale", verbs },
    { name: "../secrets", singularName: "", namespaced: false, kind: "Trick", verbs },
  ];
  const group = (name: string) => ({
    name,
    versions: [{ version: "v1" }, { version: "v2" }],
    preferredVersion: { version: "v2" },
  });
  const documents: Record<string, ScriptedResponse> = {
    "/api": { body: { kind: "APIVersions", versions: ["v1"] } },
    "/apis": { body: { kind: "APIGroupList", groups: [group("a.example.com"), group("down.example.com")] } },
    "/api/v1": { body: { kind: "APIResourceList", resources: [] } },
    "/apis/a.example.com/v1": { body: { kind: "APIResourceList", resources } },
    "/apis/a.example.com/v2": { body: { kind: "APIResourceList", resources } },
  };
  const transport = new ScriptedTransport(
    ({ path }) => documents[path] ?? failure(503, "ServiceUnavailable", "the server is currently unable"),
  );
  const client = createClient(transport);
  expect(await client.kind("wi")).toMatchObject({
    id: "a.example.com/v2/Widget",
    scope: "Cluster",
    subresources: ["scale"],
  });
  const { kinds, failures } = await client.kinds();
  expect(kinds.map(({ id }) => id)).toEqual(["a.example.com/v2/Widget", "a.example.com/v1/Widget"]);
  expect(failures).toHaveLength(2);
  expect(String(await caught(client.kind("Nothing")))).toContain(
    "some API groups did not respond: down.example.com/v2",
  );
});
