import { getEventListeners } from "node:events";
import { FakeClock } from "@kubewright/core/clock";
import {
  causeOf,
  isExpired,
  isOperatorError,
  isServerTimeout,
  isTimeout,
  isTooManyRequests,
} from "@kubewright/core/errors";
import type { Transport } from "@kubewright/core/transport";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ConfigMap, Deployment, Secret } from "../../test/kinds.js";
import { failure, ScriptedTransport } from "../../test/scripted-transport.js";
import { createClient, metadataOnly } from "./index.js";

const caught = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

const silent: Transport = {
  send: ({ signal }) =>
    new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason), { once: true })),
  stream: ({ signal }) =>
    new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason), { once: true })),
  close: async () => {},
};

test("a call without a response fails after its timeout, by the client's clock", async () => {
  const clock = new FakeClock();
  const client = createClient(silent, { clock });
  const calls = [
    caught(client.get(ConfigMap, "x", { timeout: "500ms" })),
    caught(client.watch(ConfigMap, { timeout: "500ms" })),
    caught(client.request({ method: "GET", path: "/slow", timeout: "500ms" })),
  ];
  clock.advance(500);
  for (const error of await Promise.all(calls)) {
    expect(isOperatorError(error) && error.code).toBe("TRANSPORT_FAILED");
    expect(isOperatorError(error) && error.message).toContain("no response within 500 ms");
    expect(isOperatorError(error) && error.cause).toMatchObject({ name: "TimeoutError" });
  }
});

test("a call with a timeout leaves nothing behind in the caller's signal", async () => {
  const { signal } = new AbortController();
  const client = createClient(new ScriptedTransport(() => ({ body: { metadata: { name: "x" } } })));
  for (let call = 0; call < 3; call++) await client.get(ConfigMap, "x", { timeout: "1s", signal });
  // Node keeps the signals of `AbortSignal.any` in a set of each source.
  const kept = Object.getOwnPropertySymbols(signal).map((symbol) => Reflect.get(signal, symbol) as unknown);
  const sizes = kept.map((value) => (typeof value === "object" && value !== null && "size" in value ? value.size : 0));
  expect(sizes.filter((size) => size !== 0)).toEqual([]);
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

test("the caller's abort takes precedence over the timeout, with its own reason; a response in time leaves no timer", async () => {
  const clock = new FakeClock();
  const abort = new AbortController();
  const call = caught(createClient(silent, { clock }).get(ConfigMap, "x", { timeout: "500ms", signal: abort.signal }));
  const reason = new Error("enough");
  abort.abort(reason);
  expect(await call).toBe(reason);
  const body = { metadata: { name: "x" } };
  const responding = createClient(new ScriptedTransport(() => ({ body })), { clock });
  expect((await responding.get(ConfigMap, "x", { timeout: "500ms" })).metadata.name).toBe("x");
  expect(isOperatorError(await caught(responding.get(ConfigMap, "x", { timeout: "0s" })))).toBe(true);
});

test("a list whose continue token expired continues with the server's new token, or throws without one or with consistent", async () => {
  const page = (name: string, token?: string) => ({
    body: { metadata: { resourceVersion: "9", ...(token && { continue: token }) }, items: [{ metadata: { name } }] },
  });
  const expired = (fresh?: string) => {
    const { status = 410, body } = failure(410, "Expired", "too old");
    return { status, body: { ...(body as object), metadata: fresh === undefined ? {} : { continue: fresh } } };
  };
  let fresh: string | undefined = "fresh";
  const transport = new ScriptedTransport(({ query }) => {
    if (query?.["continue"] === "old") return expired(fresh);
    return query?.["continue"] === "fresh" ? page("b") : page("a", "old");
  });
  const names = async (consistent: boolean): Promise<string[]> => {
    const seen: string[] = [];
    const options = { consistent, resourceVersion: "5", resourceVersionMatch: "Exact" } as const;
    for await (const { metadata } of createClient(transport).list(ConfigMap, options)) seen.push(metadata.name);
    return seen;
  };
  expect(await names(false)).toEqual(["a", "b"]);
  expect(transport.requests.map(({ query }) => query?.["resourceVersion"])).toEqual(["5", undefined, undefined]);
  expect(isExpired(await caught(names(true)))).toBe(true);
  fresh = undefined;
  expect(isExpired(await caught(names(false)))).toBe(true);
});

test("invalid labels are rejected, so that a value cannot inject another requirement", async () => {
  const transport = new ScriptedTransport(() => ({ body: { metadata: {}, items: [] } }));
  const client = createClient(transport);
  const error = await caught(client.listPage(ConfigMap, { labels: { team: "a,tier=b" } }));
  expect(isOperatorError(error) && error.message).toContain('Cannot select by label "team=a,tier=b"');
  await fc.assert(
    fc.asyncProperty(fc.string({ minLength: 1 }), async (value) => {
      await client.listPage(ConfigMap, { fields: { "metadata.name": value } });
      const text = transport.lastRequest?.query?.["fieldSelector"] ?? "";
      const unescaped = text.slice("metadata.name=".length).replace(/\\(.)/gs, "$1");
      expect(unescaped).toBe(value);
      expect(text.slice("metadata.name=".length).replace(/\\./gs, "")).not.toMatch(/[,=]/);
    }),
  );
});

test("metadataOnly requests PartialObjectMetadata, and drops other fields that a server sends", async () => {
  const whole = {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "x", resourceVersion: "1" },
    data: { key: "c2VjcmV0" },
  };
  const transport = new ScriptedTransport(({ path }) => ({
    body: path.endsWith("/x") ? whole : { metadata: { resourceVersion: "1" }, items: [whole] },
  }));
  const client = createClient(transport);
  const kind = metadataOnly(Secret);
  const expected = { apiVersion: "v1", kind: "Secret", metadata: whole.metadata };
  expect(await client.get(kind, "x")).toEqual(expected);
  expect(transport.lastRequest?.headers?.["accept"]).toContain("as=PartialObjectMetadata;");
  expect((await client.listPage(kind)).items).toEqual([expected]);
  expect(transport.lastRequest?.headers?.["accept"]).toContain("as=PartialObjectMetadataList;");
  const empty = new ScriptedTransport(() => ({ body: { metadata: { resourceVersion: "1" }, items: null } }));
  expect((await createClient(empty).listPage(kind)).items).toEqual([]);
  // @ts-expect-error: a metadata-only kind cannot be created
  const created = client.create(kind, { metadata: { name: "x" } });
  await caught(created);
});

test("a subresource sets apiVersion, kind, name and namespace, and is named in errors", async () => {
  const transport = new ScriptedTransport(({ method }) =>
    method === "GET" ? failure(404, "NotFound", "no such thing", "web") : { body: { metadata: { name: "web" } } },
  );
  const client = createClient(transport, { namespace: "prod" });
  const status = client.subresource(Deployment, "web", "status");
  await status.update({ status: { availableReplicas: 1 } });
  expect(transport.lastRequest).toMatchObject({
    method: "PUT",
    path: "/apis/apps/v1/namespaces/prod/deployments/web/status",
    body: { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web", namespace: "prod" } },
  });
  expect(String(await caught(status.get()))).toContain('Cannot get the status of Deployment "prod/web": no such thing');
  expect(() => client.subresource(Deployment, "web", "../../secrets")).toThrow(
    'Cannot address subresource "../../secrets"',
  );
});

test("an eviction that a PodDisruptionBudget blocks has the cause DisruptionBudget; timeouts have their own predicates", async () => {
  const causes = [{ reason: "DisruptionBudget", message: "The disruption budget web needs 2 healthy pods" }];
  const { body } = failure(429, "TooManyRequests", "Cannot evict pod");
  const transport = new ScriptedTransport(() => ({ status: 429, body: { ...(body as object), details: { causes } } }));
  const error = await caught(createClient(transport).evict("web-1", { gracePeriodSeconds: 5 }));
  expect(transport.lastRequest).toMatchObject({
    method: "POST",
    path: "/api/v1/namespaces/default/pods/web-1/eviction",
    body: { kind: "Eviction", deleteOptions: { gracePeriodSeconds: 5 } },
  });
  expect(isTooManyRequests(error)).toBe(true);
  expect(causeOf(error, "DisruptionBudget")?.message).toContain("needs 2 healthy pods");
  expect(causeOf(error, "Other")).toBeUndefined();
  const slow = (status: number, reason: string) =>
    caught(createClient(new ScriptedTransport(() => failure(status, reason, "later"))).get(ConfigMap, "x"));
  expect(isServerTimeout(await slow(500, "ServerTimeout"))).toBe(true);
  expect(isTimeout(await slow(504, "Timeout"))).toBe(true);
  expect(isTimeout(await slow(500, "ServerTimeout"))).toBe(false);
});

test("a raw request takes a path, not a URL or a query string", async () => {
  const transport = new ScriptedTransport(() => ({ body: "pong" }));
  const client = createClient(transport);
  expect((await client.request({ method: "POST", path: "/ping", body: { a: 1 } })).body).toBe("pong");
  expect(transport.lastRequest?.headers).toMatchObject({
    "content-type": "application/json",
    "user-agent": "kubewright",
  });
  for (const path of ["https://elsewhere.example.com/", "/ping?x=1", "ping"]) {
    expect(String(await caught(client.request({ method: "GET", path })))).toContain("a path begins with a slash");
  }
  expect(transport.requests).toHaveLength(1);
});

test("health returns the server's report, also when a check fails", async () => {
  const transport = new ScriptedTransport(() => ({ status: 500, body: "[-]etcd failed" }));
  expect(await createClient(transport).health({ check: "livez", verbose: true })).toEqual({
    healthy: false,
    status: 500,
    report: "[-]etcd failed",
  });
  expect(transport.lastRequest).toMatchObject({ path: "/livez", query: { verbose: "true" } });
});
