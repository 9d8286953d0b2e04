/**
 * The client's test suite, for the real and the embedded API server.
 *
 * A server declares the features that it lacks, with a reason. Their tests must then fail, so that an outdated declaration is detected.
 */

import {
  causeOf,
  isAlreadyExists,
  isBadRequest,
  isConflict,
  isExpired,
  isForbidden,
  isInvalid,
  isMethodNotAllowed,
  isNotFound,
  isOperatorError,
  isTooLarge,
  isTooManyRequests,
  isUnauthorized,
  isUnsupportedMediaType,
} from "@kubewright/core/errors";
import { withoutManagedFields } from "@kubewright/core/meta";
import type { Transport } from "@kubewright/core/transport";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Client, createClient, metadataOnly, TokenRequest } from "../src/client/index.js";
import { CustomResourceDefinition } from "../src/k8s/apiextensions/v1.gen.js";
import { ControllerRevision, Deployment } from "../src/k8s/apps/v1.gen.js";
import { Binding, ConfigMap, Namespace, Pod, Secret, ServiceAccount } from "../src/k8s/core/v1.gen.js";
import { PodDisruptionBudget } from "../src/k8s/policy/v1.gen.js";
import { streamsLists } from "./streams-lists.js";

/** Features that a server may lack. */
export type Feature =
  | "identities"
  | "body limit"
  | "eviction"
  | "disruption budgets"
  | "service account tokens"
  | "ephemeral containers"
  | "binding"
  | "strategic merge";

/** A server under test. */
export interface SuiteServer {
  /** As an administrator. */
  readonly transport: Transport;
  /** As a user without permissions. */
  readonly restricted?: Transport;
  /** With an invalid token. */
  readonly unknown?: Transport;
  /** Compacts the history. */
  compact(): Promise<void>;
  /** Converts a continue token to one of a compacted snapshot. */
  aged(token: string): string;
  close(): Promise<void>;
}

/** Registers the suite for one server. `lacks` maps missing features to their reasons. */
export function testClient(start: () => Promise<SuiteServer>, lacks: { readonly [F in Feature]?: string } = {}): void {
  let server: SuiteServer;
  let client: Client;
  const warnings: string[] = [];

  beforeAll(async () => {
    server = await start();
    client = createClient(server.transport, { fieldManager: "suite", onWarning: (text) => warnings.push(text) });
  }, 60_000);
  afterAll(async () => {
    await server?.close();
  });

  const needs = (feature: Feature, name: string, run: () => Promise<void>): void => {
    const why = lacks[feature];
    if (why === undefined) test(name, run);
    else test.fails(`${name} (must fail here, no ${feature}: ${why})`, run);
  };

  test("create, get, find, update, delete of one object", async () => {
    const created = await client.create(ConfigMap, {
      metadata: { name: "basic", labels: { a: "b" } },
      data: { x: "1" },
    });
    expect(created.metadata.uid).toMatch(/./);
    const read = await client.get(ConfigMap, "basic");
    expect(read).toEqual(created);
    const updated = await client.update(ConfigMap, { ...read, data: { x: "2" } });
    expect(updated.data).toEqual({ x: "2" });
    expect(await client.delete(ConfigMap, "basic")).toBeUndefined();
    expect(await client.find(ConfigMap, "basic")).toBeUndefined();
  });

  test("create completes a generated name", async () => {
    const { metadata } = await client.create(ConfigMap, { metadata: { generateName: "made-" } });
    expect(metadata.name).toMatch(/^made-[a-z0-9]{5}$/);
  });

  test("each patch type changes the object", async () => {
    await client.create(ConfigMap, { metadata: { name: "patched" }, data: { a: "1", b: "2" } });
    const merged = await client.patch(ConfigMap, "patched", { merge: { data: { a: null, c: "3" } } });
    expect(merged.data).toEqual({ b: "2", c: "3" });
    const json = await client.patch(ConfigMap, "patched", { json: [{ op: "replace", path: "/data/b", value: "9" }] });
    expect(json.data).toEqual({ b: "9", c: "3" });
  });

  test("integers beyond 2^53 are read and written with all their digits", async () => {
    const name = "int64";
    const odd = 9007199254740993n;
    const ends = [9223372036854775807n, -9223372036854775808n];
    const { resourceVersion } = await client.listPage(ControllerRevision);
    const created = await client.create(ControllerRevision, { metadata: { name }, revision: 1, data: { odd, ends } });
    expect(created.data).toEqual({ odd, ends });
    expect((await client.get(ControllerRevision, name)).data).toEqual({ odd, ends });
    for await (const one of client.list(ControllerRevision)) expect(one.data).toEqual({ odd, ends });
    const merged = await client.patch(ControllerRevision, name, {
      merge: { metadata: { labels: { big: String(odd) } } },
    });
    expect(merged.data).toEqual({ odd, ends });
    await client.patch(ControllerRevision, name, { json: [{ op: "add", path: "/revision", value: odd }] });
    const events = await client.watch(ControllerRevision, { resourceVersion });
    const seen: unknown[] = [];
    for await (const event of events) {
      if (event.type === "ADDED" || event.type === "MODIFIED") seen.push(event.object.revision, event.object.data);
      if (seen.length === 6) break;
    }
    expect(seen).toEqual([1, { odd, ends }, 1, { odd, ends }, odd, { odd, ends }]);
    const updated = await client.update(ControllerRevision, await client.get(ControllerRevision, name));
    expect(updated).toMatchObject({ revision: odd, data: { odd, ends } });
  });

  needs("strategic merge", "a strategic patch merges lists by their key", async () => {
    await client.create(Deployment, deployment("strategic"));
    const patch = { spec: { template: { spec: { containers: [{ name: "web", image: "web:2" }] } } } };
    const { spec } = await client.patch(Deployment, "strategic", { strategic: patch });
    expect(spec.template.spec?.containers.map(({ name, image }) => `${name} ${image}`)).toEqual([
      "web web:2",
      "log log:1",
    ]);
  });

  test("apply creates, owns fields, conflicts with another field manager, and takes ownership with force", async () => {
    const desired = (mode: string) => ({ metadata: { name: "applied" }, data: { mode } });
    await client.apply(ConfigMap, desired("one"), { fieldManager: "first" });
    const error = await caught(client.apply(ConfigMap, desired("two"), { fieldManager: "second" }));
    expect(isConflict(error) && error.reason).toBe("Conflict");
    expect(causeOf(error, "FieldManagerConflict")?.field).toBe(".data.mode");
    expect(String(error)).toContain('Cannot apply ConfigMap "default/applied": ');
    const forced = await client.apply(ConfigMap, desired("two"), { fieldManager: "second", force: true });
    expect(forced.data).toEqual({ mode: "two" });
    // A manager gives up a field that it no longer applies.
    const dropped = await client.apply(ConfigMap, { metadata: { name: "applied" } }, { fieldManager: "second" });
    expect(dropped.data).toBeUndefined();
  });

  test("writes to the status subresource do not change the spec", async () => {
    const { metadata } = await client.create(Deployment, deployment("with-status"));
    const patched = await client.patchStatus(Deployment, "with-status", { merge: { status: { replicas: 2 } } });
    expect(patched.status?.replicas).toBe(2);
    expect(patched.metadata.generation).toBe(metadata.generation);
    const updated = await client.updateStatus(Deployment, {
      metadata: { name: "with-status" },
      status: { replicas: 3, observedGeneration: 1 },
    });
    expect([updated.status?.replicas, updated.spec.replicas]).toEqual([3, 2]);
    const applied = await client.applyStatus(
      Deployment,
      { metadata: { name: "with-status" }, status: { availableReplicas: 1, readyReplicas: 1 } },
      { fieldManager: "status" },
    );
    expect(applied.status).toMatchObject({ replicas: 3, availableReplicas: 1 });
  });

  test("a dry run validates and stores nothing", async () => {
    const object = { metadata: { name: "dry" }, data: { a: "1" } };
    expect((await client.create(ConfigMap, object, { dryRun: true })).metadata.uid).toMatch(/./);
    expect(await client.find(ConfigMap, "dry")).toBeUndefined();
    await client.create(ConfigMap, object);
    expect((await client.patch(ConfigMap, "dry", { merge: { data: { a: "2" } } }, { dryRun: true })).data).toEqual({
      a: "2",
    });
    expect((await client.apply(ConfigMap, { ...object, data: { b: "1" } }, { dryRun: true })).data?.["b"]).toBe("1");
    await client.delete(ConfigMap, "dry", { dryRun: true });
    expect((await client.get(ConfigMap, "dry")).data).toEqual({ a: "1" });
  });

  test("unknown fields cause a warning, a rejection or nothing, by fieldValidation", async () => {
    const object = (name: string) => ({ metadata: { name }, data: {}, colour: "red" });
    warnings.length = 0;
    await client.create(ConfigMap, object("unknown-fields"));
    expect(warnings).toEqual(['unknown field "colour"']);
    const strict = await caught(client.create(ConfigMap, object("strict"), { fieldValidation: "Strict" }));
    expect(isBadRequest(strict) && strict.message).toContain('unknown field "colour"');
    warnings.length = 0;
    await client.create(ConfigMap, object("ignored"), { fieldValidation: "Ignore" });
    expect(warnings).toEqual([]);
  });

  test("several warnings are separated, including those with quotes", async () => {
    warnings.length = 0;
    await client.create(ConfigMap, {
      metadata: { name: "two-warnings" },
      ...{ colour: "red", 'spoken "word", again': "" },
    });
    expect(warnings).toEqual(['unknown field "colour"', 'unknown field "spoken \\"word\\", again"']);
  });

  test("repeated warnings can be deduplicated", async () => {
    const heard: string[] = [];
    const quiet = createClient(server.transport, { onWarning: (text) => heard.push(text), repeatWarnings: false });
    for (const name of ["warned-1", "warned-2"]) {
      await quiet.create(ConfigMap, { metadata: { name }, ...{ colour: "red" } });
    }
    expect(heard).toEqual(['unknown field "colour"']);
  });

  test("an object with finalizers is deleted when the last one is removed", async () => {
    await client.create(ConfigMap, { metadata: { name: "held", finalizers: ["example.com/hold"] } });
    const pending = await client.delete(ConfigMap, "held");
    expect(pending?.metadata.deletionTimestamp).toMatch(/Z$/);
    await client.patch(ConfigMap, "held", { merge: { metadata: { finalizers: null } } });
    expect(await client.find(ConfigMap, "held")).toBeUndefined();
  });

  test("a delete enforces its preconditions", async () => {
    await client.create(ConfigMap, { metadata: { name: "guarded" } });
    const error = await caught(client.delete(ConfigMap, "guarded", { preconditions: { uid: "another" } }));
    expect(isConflict(error)).toBe(true);
    const { metadata } = await client.get(ConfigMap, "guarded");
    const { uid, resourceVersion } = metadata;
    await client.delete(ConfigMap, "guarded", { preconditions: { uid, resourceVersion }, gracePeriodSeconds: 0 });
  });

  test("deleteAll deletes the objects that the selectors match", async () => {
    for (const [name, team] of Object.entries({ "all-1": "x", "all-2": "x", "all-3": "y" })) {
      await client.create(Secret, { metadata: { name, labels: { suite: "all", team } } });
    }
    await client.deleteAll(Secret, { labels: { team: "x" }, propagationPolicy: "Background" });
    expect(await names(client.list(Secret, { labels: { suite: "all" } }))).toEqual(["all-3"]);
  });

  test("list accepts label and field selectors as a string, as pairs and as a LabelSelector", async () => {
    for (const [name, tier] of Object.entries({ "sel-1": "web", "sel-2": "db", "sel-3": "web" })) {
      await client.create(ConfigMap, { metadata: { name, labels: { suite: "select", tier } } });
    }
    expect(await names(client.list(ConfigMap, { labels: "suite=select,tier in (db)" }))).toEqual(["sel-2"]);
    expect(await names(client.list(ConfigMap, { labels: { suite: "select", tier: "web" } }))).toEqual([
      "sel-1",
      "sel-3",
    ]);
    const selector = {
      matchLabels: { suite: "select" },
      matchExpressions: [{ key: "tier", operator: "NotIn", values: ["db"] }],
    };
    expect(await names(client.list(ConfigMap, { labels: selector }))).toEqual(["sel-1", "sel-3"]);
    expect(await names(client.list(ConfigMap, { fields: { "metadata.name": "sel-2" } }))).toEqual(["sel-2"]);
  });

  test("list follows all pages, and a page has remainingItemCount", async () => {
    await pagedObjects(client, "paged", 7);
    const labels = { suite: "paged" };
    expect(await names(client.list(ConfigMap, { labels, pageSize: 3 }))).toHaveLength(7);
    const page = await client.listPage(Namespace, { limit: 1 });
    expect(page.items).toHaveLength(1);
    expect(page.remainingItemCount).toBeGreaterThan(0);
    expect(page.continue).toMatch(/./);
    const exact = { resourceVersion: page.resourceVersion, resourceVersionMatch: "Exact" } as const;
    expect((await names(client.list(Namespace, { ...exact, pageSize: 2 }))).length).toBeGreaterThan(3);
    expect((await client.listPage(ConfigMap, { labels, resourceVersion: "0" })).items.length).toBeLessThanOrEqual(7);
  });

  /** A kind created after a compaction: the server's watch cache has no older version of it. */
  const relics = async () => {
    const { spec } = gadgetDefinition;
    const names = { kind: "Relic", plural: "relics", singular: "relic" };
    const definition = { metadata: { name: "relics.suite.example.com" }, spec: { ...spec, names } };
    if ((await client.find(CustomResourceDefinition, "relics.suite.example.com")) === undefined) {
      await server.compact();
      await client.create(CustomResourceDefinition, definition);
    }
    const relic = await eventually(() => client.kind("relics.suite.example.com"));
    await eventually(() => client.listPage(relic));
    return relic;
  };

  test("a list continues with newer pages after a compaction, unless it is consistent", async () => {
    const relic = await relics();
    for (let index = 0; index < 6; index++) {
      await client.create(relic, { metadata: { name: `relic-${index}`, labels: { suite: "relics" } } });
    }
    const labels = { suite: "relics" };
    let aged = 0;
    const aging = createClient({
      ...server.transport,
      send: (request) => {
        const token = request.query?.["continue"];
        if (token === undefined || aged++ > 0) return server.transport.send(request);
        return server.transport.send({ ...request, query: { ...request.query, continue: server.aged(token) } });
      },
    });
    const seen: string[] = [];
    for await (const { metadata } of aging.list(relic, { pageSize: 2, labels })) {
      seen.push(metadata.name);
      if (seen.length !== 2) continue;
      await client.patch(relic, "relic-5", { merge: { metadata: { labels: { touched: "first" } } } });
      await server.compact();
    }
    expect(seen).toEqual([0, 1, 2, 3, 4, 5].map((index) => `relic-${index}`));
    expect(aged).toBeGreaterThan(2);
    aged = 0;
    const consistent = await caught(
      (async () => {
        for await (const _ of aging.list(relic, { pageSize: 2, labels, consistent: true })) {
          await client.patch(relic, "relic-5", { merge: { metadata: { labels: { touched: `${aged}` } } } });
          await server.compact();
        }
      })(),
    );
    expect(isExpired(consistent)).toBe(true);
  });

  test("reading a compacted version fails with isExpired", async () => {
    const relic = await relics();
    await client.create(relic, { metadata: { generateName: "later-" } });
    await server.compact();
    const error = await caught(client.listPage(relic, { resourceVersion: "2", resourceVersionMatch: "Exact" }));
    expect(isExpired(error) && [error.httpStatus, error.reason]).toEqual([410, "Expired"]);
  });

  test("watch delivers changes after a resourceVersion, and stops on abort", async () => {
    const { resourceVersion } = await client.listPage(ConfigMap);
    const abort = new AbortController();
    const events = await client.watch(ConfigMap, { resourceVersion, labels: { suite: "watch" }, signal: abort.signal });
    await client.create(ConfigMap, { metadata: { name: "watched", labels: { suite: "watch" } } });
    await client.patch(ConfigMap, "watched", { merge: { data: { a: "1" } } });
    await client.delete(ConfigMap, "watched");
    const seen: string[] = [];
    for await (const event of events) {
      seen.push(event.type);
      if (seen.length === 3) break;
    }
    expect(seen).toEqual(["ADDED", "MODIFIED", "DELETED"]);
    abort.abort();
  });

  test("watch ends after timeoutSeconds", async () => {
    const events = await client.watch(Secret, { timeoutSeconds: 1, resourceVersion: "0" });
    let count = 0;
    for await (const { type } of events) count += type === "ERROR" ? 100 : 1;
    expect(count).toBeLessThan(100);
  });

  test("watch with sendInitialEvents sends all objects first, then a bookmark, or is rejected by a server that does not stream lists", async () => {
    await client.create(Secret, { metadata: { name: "initial", labels: { suite: "initial" } } });
    const seen: string[] = [];
    const options = { sendInitialEvents: true, labels: { suite: "initial" } } as const;
    if (!(await streamsLists(client))) {
      expect(isInvalid(await caught(client.watch(Secret, options)))).toBe(true);
      return;
    }
    for await (const event of await client.watch(Secret, options)) {
      if (event.type === "BOOKMARK") {
        seen.push(`${event.type} ${event.initialEventsEnd} ${/^\d+$/.test(event.resourceVersion)}`);
        break;
      }
      seen.push(event.type);
    }
    expect(seen).toEqual(["ADDED", "BOOKMARK true true"]);
  });

  test("watch from a resourceVersion that is too old fails with 410", async () => {
    const relic = await relics();
    await server.compact();
    const outcome = await caught(
      (async () => {
        for await (const event of await client.watch(relic, { resourceVersion: "1", timeoutSeconds: 5 })) {
          if (event.type === "ERROR") return Promise.reject(event.status);
        }
      })(),
    );
    expect(isExpired(outcome) ? 410 : (outcome as { code?: number }).code).toBe(410);
  });

  test("metadata-only kinds can be read, listed, watched and patched under the object's own type", async () => {
    const labels = { suite: "meta" };
    await client.create(ConfigMap, { metadata: { name: "meta", labels }, data: { big: "x".repeat(1000) } });
    const kind = metadataOnly(ConfigMap);
    const read = await client.get(kind, "meta");
    expect(read).toMatchObject({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "meta", labels } });
    expect(Object.keys(read)).toEqual(["apiVersion", "kind", "metadata"]);
    const [listed] = (await client.listPage(kind, { labels })).items;
    expect(listed).toEqual(withoutManagedFields(read));
    for await (const event of await client.watch(kind, { labels })) {
      expect(event).toEqual({ type: "ADDED", object: withoutManagedFields(read) });
      break;
    }
    const patched = await client.patch(kind, "meta", { merge: { metadata: { labels: { more: "1" } } } });
    expect(Object.keys(patched)).toEqual(["apiVersion", "kind", "metadata"]);
    expect(patched.metadata.labels).toEqual({ ...labels, more: "1" });
    expect(await client.delete(kind, "meta")).toBeUndefined();
  });

  test("lists and watches omit managedFields by default; single objects and writes have them", async () => {
    const labels = { suite: "managed" };
    const data = { big: "x".repeat(1000), quoted: '} ] , "é' };
    const created = await client.create(ConfigMap, { metadata: { name: "managed", labels }, data });
    expect(created.metadata.managedFields).toHaveLength(1);
    expect(await client.get(ConfigMap, "managed")).toEqual(created);
    const lean = withoutManagedFields(created);
    expect("managedFields" in lean.metadata).toBe(false);
    const first = async (managedFields?: boolean) => {
      const options = { labels, ...(managedFields !== undefined && { managedFields }) };
      for await (const event of await client.watch(ConfigMap, options)) return event;
      return undefined;
    };
    expect((await client.listPage(ConfigMap, { labels })).items).toEqual([lean]);
    expect(await first()).toEqual({ type: "ADDED", object: lean });
    expect((await client.listPage(ConfigMap, { labels, managedFields: true })).items).toEqual([created]);
    expect(await first(true)).toEqual({ type: "ADDED", object: created });
    for await (const object of client.list(ConfigMap, { labels, managedFields: true })) expect(object).toEqual(created);
  });

  test("a table shows the server's columns", async () => {
    await client.create(ConfigMap, {
      metadata: { name: "printed", labels: { suite: "table" } },
      data: { a: "1", b: "2" },
    });
    const table = await client.table(ConfigMap, { labels: { suite: "table" } });
    expect(table.columns.map(({ name }) => name)).toEqual(["Name", "Data", "Age"]);
    expect(table.rows[0]?.cells.slice(0, 2)).toEqual(["printed", 2]);
    expect(table.rows[0]?.object?.metadata.name).toBe("printed");
    const one = await client.table(ConfigMap, { name: "printed", includeObject: "None" });
    expect(one.rows).toHaveLength(1);
    expect(one.rows[0]?.object).toBeUndefined();
  });

  test("scale is read and updated through the subresource, with a resourceVersion", async () => {
    await client.create(Deployment, deployment("scaled"));
    const before = await client.getScale(Deployment, "scaled");
    expect([before.kind, before.spec.replicas]).toEqual(["Scale", 2]);
    expect((await client.scale(Deployment, "scaled", 5)).spec.replicas).toBe(5);
    const stale = { resourceVersion: before.metadata.resourceVersion };
    expect(isConflict(await caught(client.scale(Deployment, "scaled", 7, stale)))).toBe(true);
    expect((await client.get(Deployment, "scaled")).spec.replicas).toBe(5);
  });

  needs("eviction", "a Pod is evicted", async () => {
    await client.create(Pod, pod("evicted"));
    await client.evict("evicted", { dryRun: true });
    expect(await client.find(Pod, "evicted")).toBeDefined();
    await client.evict("evicted", { gracePeriodSeconds: 0 });
    expect(await client.find(Pod, "evicted")).toBeUndefined();
    expect(isNotFound(await caught(client.evict("nobody")))).toBe(true);
  });

  needs("disruption budgets", "an eviction that violates a disruption budget is rejected with 429", async () => {
    await client.create(Pod, pod("budgeted", { app: "budgeted" }));
    const conditions = [{ type: "Ready", status: "True" }];
    await client.patchStatus(Pod, "budgeted", { merge: { status: { phase: "Running", conditions } } });
    const budget = await client.create(PodDisruptionBudget, {
      metadata: { name: "budget" },
      spec: { minAvailable: 1, selector: { matchLabels: { app: "budgeted" } } },
    });
    await client.updateStatus(PodDisruptionBudget, {
      metadata: { name: "budget", resourceVersion: budget.metadata.resourceVersion },
      status: {
        observedGeneration: budget.metadata.generation,
        disruptionsAllowed: 0,
        currentHealthy: 1,
        desiredHealthy: 1,
        expectedPods: 1,
      },
    });
    const error = await caught(client.evict("budgeted"));
    expect(isTooManyRequests(error) && error.message).toContain('Cannot evict Pod "default/budgeted": ');
    expect(causeOf(error, "DisruptionBudget")?.message).toContain("budget needs 1 healthy pods");
    await client.delete(PodDisruptionBudget, "budget");
    await client.evict("budgeted", { gracePeriodSeconds: 0 });
  });

  needs("service account tokens", "a token is made through the subresource", async () => {
    await client.create(ServiceAccount, { metadata: { name: "builder" } });
    const token = client.subresource(ServiceAccount, "builder", "token", TokenRequest);
    const made = await token.create({ spec: { audiences: ["vault"], expirationSeconds: 600 } });
    expect(made.status.token.split(".")).toHaveLength(3);
  });

  needs("ephemeral containers", "an ephemeral container is added through the subresource", async () => {
    await client.create(Pod, pod("debugged"));
    const containers = client.subresource(Pod, "debugged", "ephemeralcontainers");
    const debug = { name: "debug", image: "busybox" };
    const { spec } = await containers.patch({ strategic: { spec: { ephemeralContainers: [debug] } } });
    expect(spec.ephemeralContainers).toMatchObject([debug]);
    expect((await containers.get()).metadata.name).toBe("debugged");
  });

  needs("binding", "a Pod is bound to a node through the subresource", async () => {
    await client.create(Pod, pod("bound"));
    const target = { apiVersion: "v1", kind: "Node", name: "node-1" };
    await client.subresource(Pod, "bound", "binding", Binding).create({ target });
    expect((await client.get(Pod, "bound")).spec.nodeName).toBe("node-1");
  });

  test("a namespace is finalized through the subresource", async () => {
    await client.create(Namespace, { metadata: { name: "going" } });
    const finalize = client.subresource(Namespace, "going", "finalize");
    const { spec } = await finalize.update({ spec: { finalizers: ["kubernetes", "example.com/hold"] } });
    expect(spec?.finalizers).toEqual(["kubernetes", "example.com/hold"]);
    await finalize.update({ spec: { finalizers: [] } });
    expect(await client.delete(Namespace, "going")).toBeUndefined();
  });

  test("status is a subresource like the others", async () => {
    await client.create(Deployment, deployment("sub-status"));
    const status = client.subresource(Deployment, "sub-status", "status");
    expect((await status.patch({ merge: { status: { replicas: 1 } } })).status?.replicas).toBe(1);
    expect((await status.get()).status?.replicas).toBe(1);
    await status.apply({ status: { readyReplicas: 1 } }, { fieldManager: "other" });
    expect((await status.get()).status).toMatchObject({ replicas: 1, readyReplicas: 1 });
    const missing = await caught(client.subresource(ConfigMap, "kube-root-ca.crt", "scale").get());
    expect(isNotFound(missing)).toBe(true);
  });

  test("a kind is discovered by each of its names, and supports every verb", async () => {
    for (const name of [
      "Deployment",
      "deployments",
      "deployment",
      "deploy",
      "deployments.apps",
      "deployments.v1.apps",
    ]) {
      expect((await client.kind(name)).id, name).toBe("apps/v1/Deployment");
    }
    expect((await client.kind("apps/v1/Deployment")).subresources).toEqual(expect.arrayContaining(["scale", "status"]));
    expect((await client.kind({ group: "apps", version: "v1", kind: "Deployment" })).verbs).toContain("watch");
    const kind = await client.kind("v1/ConfigMap");
    await client.apply(kind, { metadata: { name: "dynamic" }, data: { a: "1" } });
    expect((await client.get(kind, "dynamic"))["data"]).toEqual({ a: "1" });
    expect(await names(client.list(kind, { fields: "metadata.name=dynamic" }))).toEqual(["dynamic"]);
    const ns = await client.kind("ns");
    expect([ns.kind, ns.scope]).toEqual(["Namespace", "Cluster"]);
    const { kinds, failures } = await client.kinds();
    expect(kinds.map(({ id }) => id)).toEqual(expect.arrayContaining(["/v1/Secret", "apps/v1/Deployment"]));
    expect(failures).toEqual([]);
  });

  test("an ambiguous and an unknown name are errors with candidates", async () => {
    const ambiguous = await caught(client.kind("Event"));
    expect(isOperatorError(ambiguous) && ambiguous.message).toBe(
      'Cannot resolve kind "Event": it matches "v1/Event", "events.k8s.io/v1/Event"; name the group too',
    );
    const unknown = await caught(client.kind("deploymnt"));
    expect(isNotFound(unknown) && unknown.message).toContain('did you mean "apps/v1/Deployment"');
  });

  test("a kind installed after the first discovery is found, with its short name and Table", async () => {
    expect(isNotFound(await caught(client.kind("Gadget")))).toBe(true);
    await client.create(CustomResourceDefinition, gadgetDefinition);
    const gadget = await eventually(() => client.kind("gad"));
    expect(gadget).toMatchObject({ id: "suite.example.com/v1/Gadget", scope: "Namespaced", shortNames: ["gad"] });
    const created = await eventually(() => client.create(gadget, { metadata: { name: "g" }, spec: { size: 3 } }));
    expect(created["spec"]).toEqual({ size: 3 });
    const table = await client.table(gadget);
    expect(table.columns.map(({ name }) => name)).toEqual(["Name", "Size"]);
    expect(table.rows[0]?.cells).toEqual(["g", 3]);
    const invalid = await caught(client.create(gadget, { metadata: { name: "bad" }, spec: { size: "large" } }));
    expect(isInvalid(invalid) && invalid.causes.map(({ field }) => field)).toEqual(["spec.size"]);
    const rejected = await caught(client.patch(gadget, "g", { strategic: { spec: { size: 4 } } }));
    expect(isUnsupportedMediaType(rejected)).toBe(true);
    expect((await client.patchStatus(gadget, "g", { merge: { status: { seen: true } } }))["status"]).toEqual({
      seen: true,
    });
    await client.delete(gadget, "g");
    await client.delete(CustomResourceDefinition, "gadgets.suite.example.com");
  });

  test("errors have verb, object, the server's message, status, reason and causes", async () => {
    const missing = await caught(client.get(ConfigMap, "missing"));
    expect(isNotFound(missing) && [missing.httpStatus, missing.reason, missing.message]).toEqual([
      404,
      "NotFound",
      'Cannot get ConfigMap "default/missing": configmaps "missing" not found',
    ]);
    await client.create(ConfigMap, { metadata: { name: "twice" } });
    const twice = await caught(client.create(ConfigMap, { metadata: { name: "twice" } }));
    expect(isAlreadyExists(twice) && !isConflict(twice)).toBe(true);
    const stale = { metadata: { name: "twice", resourceVersion: "1" } };
    expect(isConflict(await caught(client.update(ConfigMap, stale)))).toBe(true);
    const invalid = await caught(client.create(ConfigMap, { metadata: { name: "Bad_Name" }, data: { "a/b": "" } }));
    expect(isInvalid(invalid) && invalid.causes.map(({ field }) => field)).toEqual(["metadata.name", "data[a/b]"]);
    expect(isBadRequest(await caught(client.listPage(ConfigMap, { fields: "colour=red" })))).toBe(true);
    const method = client.request({ method: "PUT", path: "/api/v1/namespaces/default/configmaps", body: {} });
    expect(isMethodNotAllowed(await caught(method))).toBe(true);
    const media = client.request({
      method: "PATCH",
      path: "/api/v1/namespaces/default/configmaps/twice",
      headers: { "content-type": "application/x-unknown" },
      body: {},
    });
    expect(isUnsupportedMediaType(await caught(media))).toBe(true);
  });

  needs("body limit", "a request that is too large is rejected", async () => {
    const data = { big: "x".repeat(4 * 1024 * 1024) };
    expect(isTooLarge(await caught(client.create(ConfigMap, { metadata: { name: "big" }, data })))).toBe(true);
  });

  needs("identities", "a user without rights is forbidden, an unknown one unauthorized", async () => {
    if (server.restricted === undefined || server.unknown === undefined) throw new Error("No other users");
    const forbidden = await caught(createClient(server.restricted).get(Secret, "x"));
    expect(isForbidden(forbidden) && forbidden.message).toContain('User "restricted" cannot get resource "secrets"');
    expect(isUnauthorized(await caught(createClient(server.unknown).get(Secret, "x")))).toBe(true);
  });

  test("raw requests, version and health have the same errors", async () => {
    const { status, body } = await client.request({ method: "GET", path: "/api/v1/namespaces", query: { limit: "1" } });
    expect([status, (body as { kind?: string }).kind]).toEqual([200, "NamespaceList"]);
    const missing = await caught(client.request({ method: "GET", path: "/apis/nothing.example.com/v1" }));
    expect(isNotFound(missing) && missing.message).toContain('Cannot GET "/apis/nothing.example.com/v1": ');
    expect((await client.version()).gitVersion).toMatch(/^v1\.\d+/);
    expect(await client.health()).toEqual({ healthy: true, status: 200, report: "ok" });
    expect((await client.health({ check: "livez", verbose: true })).report).toContain("[+]ping ok");
  });

  test("a call ends with its signal and with its timeout", async () => {
    const reason = new Error("enough");
    expect(await caught(client.get(ConfigMap, "x", { signal: AbortSignal.abort(reason) }))).toBe(reason);
    expect(await client.find(ConfigMap, "x", { timeout: "1m" })).toBeUndefined();
  });
}

async function caught(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    (value) => ({ resolved: value }),
    (error: unknown) => error,
  );
}

async function names(objects: AsyncIterable<{ readonly metadata: { readonly name: string } }>): Promise<string[]> {
  const found: string[] = [];
  for await (const { metadata } of objects) found.push(metadata.name);
  return found;
}

/** A CRD is served shortly after it was created: retries without a delay while the server returns 404. */
async function eventually<T>(run: () => Promise<T>): Promise<T> {
  const endMs = performance.now() + 20_000;
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (!isNotFound(error) || performance.now() > endMs) throw error;
    }
  }
}

async function pagedObjects(client: Client, suite: string, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    await client.create(ConfigMap, { metadata: { name: `${suite}-${index}`, labels: { suite } } });
  }
}

function deployment(name: string) {
  const labels = { app: name };
  const containers = [
    { name: "web", image: "web:1" },
    { name: "log", image: "log:1" },
  ];
  return {
    metadata: { name },
    spec: { replicas: 2, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
  };
}

function pod(name: string, labels: Record<string, string> = {}) {
  return { metadata: { name, labels }, spec: { containers: [{ name: "main", image: "main:1" }] } };
}

const gadgetDefinition = {
  metadata: { name: "gadgets.suite.example.com" },
  spec: {
    group: "suite.example.com",
    scope: "Namespaced",
    names: { kind: "Gadget", plural: "gadgets", singular: "gadget", shortNames: ["gad"] },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: { status: {} },
        additionalPrinterColumns: [{ name: "Size", type: "integer", jsonPath: ".spec.size" }],
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: { type: "object", properties: { size: { type: "integer" } } },
              status: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
            },
          },
        },
      },
    ],
  },
} as const;
