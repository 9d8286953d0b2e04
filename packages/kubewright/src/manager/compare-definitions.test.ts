import { startCluster } from "@kubewright/cluster";
import { FakeClock } from "@kubewright/core/clock";
import type { JsonObject } from "@kubewright/core/json";
import type { Transport, TransportRequest, TransportResponse } from "@kubewright/core/transport";
import { expect, test } from "vitest";
import { z } from "zod";
import { Warnings } from "../../test/warnings.js";
import { createClient } from "../client/index.js";
import { crdOf, defineResource } from "../definition/index.js";
import { CustomResourceDefinition } from "../k8s/apiextensions/v1.gen.js";
import { Event } from "../k8s/events/v1.gen.js";
import { controller } from "../reconcile/index.js";
import { operator } from "./index.js";

const identity = { group: "example.com", kind: "Note" } as const;
const pod = z.object({ name: z.string(), ip: z.string().optional() });
const Note = defineResource({
  ...identity,
  versions: {
    v1: {
      spec: z.object({ text: z.string().optional(), colour: z.string().optional() }),
      status: z.object({ seen: z.boolean().optional(), url: z.string().optional(), pods: z.array(pod).optional() }),
    },
  },
});
/** What an earlier version of the program installed. */
const OldNote = defineResource({
  ...identity,
  versions: {
    v1: {
      spec: z.object({ text: z.string().optional() }),
      status: z.object({ seen: z.boolean().optional(), pods: z.array(z.object({ name: z.string() })).optional() }),
    },
  },
});
const pruned = [{ kind: "example.com/v1/Note", fields: [".spec.colour", ".status.url", ".status.pods[].ip"] }];

async function startOld(mayReadCrds = true) {
  const clock = new FakeClock();
  const cluster = await startCluster({ clock });
  const client = createClient(cluster.transport);
  await client.create(CustomResourceDefinition, crdOf(OldNote));
  const sent: string[] = [];
  const respond = new Map<string, TransportResponse>();
  if (!mayReadCrds) respond.set("/apis/apiextensions.k8s.io/v1/customresourcedefinitions/notes.example.com", denied);
  const send = (request: TransportRequest): ReturnType<Transport["send"]> => {
    sent.push(`${request.method} ${request.path}`);
    const response = respond.get(request.path);
    return response === undefined ? cluster.transport.send(request) : Promise.resolve(response);
  };
  const transport: Transport = { send, stream: (request) => cluster.transport.stream(request), close: async () => {} };
  const logger = new Warnings();
  const running = { idle: true };
  const settle = async (): Promise<void> => {
    for (let quiet = 0; quiet < 3; quiet = cluster.idle && running.idle ? quiet + 1 : 0)
      await new Promise((resolve) => setImmediate(resolve));
  };
  const start = async (made: ReturnType<typeof operator>) => {
    const started = await made.start({ transport, clock, logger, random: () => 0.5 });
    Object.defineProperty(running, "idle", { get: () => started.idle });
    return started;
  };
  return { clock, client, sent, respond, logger, settle, start, [Symbol.asyncDispose]: () => cluster.close() };
}
const denied: TransportResponse = {
  status: 403,
  headers: {},
  body: { kind: "Status", status: "Failure", reason: "Forbidden", code: 403, message: "not allowed" },
};

const idle = operator({ name: "notes", controllers: [controller(Note, { reconcile: async () => {} })] });

test("an operator reports at its start which fields an older CRD prunes", async () => {
  await using world = await startOld();
  await using running = await world.start(idle);
  expect(await running.prunedFields()).toEqual(pruned);
  const { fields, message } = world.logger.all[0] ?? {};
  expect(message).toMatch(
    /CustomResourceDefinition is older than this program and prunes fields; apply the current one/,
  );
  expect(fields).toMatchObject(pruned[0] ?? {});
});

test("without the permission to read CRDs the OpenAPI document decides", async () => {
  await using world = await startOld(false);
  await using running = await world.start(idle);
  expect(await running.prunedFields()).toEqual(pruned);
  expect(world.sent).toContain("GET /openapi/v3/apis/example.com/v1");
});

test("a current CRD is not reported, and needs no permission to read CRDs", async () => {
  await using world = await startOld(false);
  const current = operator({ name: "notes", controllers: [controller(OldNote, { reconcile: async () => {} })] });
  await using running = await world.start(current);
  expect(await running.prunedFields()).toEqual([]);
  expect(world.logger.all).toEqual([]);
  expect(world.sent.filter((line) => line.includes("customresourcedefinitions"))).toEqual([]);
});

test("an OpenAPI document that lags behind a current CRD is no reason for a report", async () => {
  const lagging = { status: 200, headers: {}, body: { components: { schemas: { old: schemaOf(OldNote) } } } };
  await using world = await startOld();
  await world.client.update(CustomResourceDefinition, {
    ...crdOf(Note),
    metadata: { name: "notes.example.com", resourceVersion: await versionOf(world.client) },
  } as never);
  world.respond.set("/openapi/v3/apis/example.com/v1", lagging);
  await using running = await world.start(idle);
  expect(await running.prunedFields()).toEqual([]);
  world.respond.set("/apis/apiextensions.k8s.io/v1/customresourcedefinitions/notes.example.com", denied);
  await using other = await world.start(idle);
  expect(await other.prunedFields()).toEqual(pruned);
});

function schemaOf(kind: typeof OldNote): JsonObject {
  const root = crdOf(kind).spec.versions[0]?.schema.openAPIV3Schema as JsonObject;
  return { ...root, "x-kubernetes-group-version-kind": [{ group: "example.com", version: "v1", kind: "Note" }] };
}

test("a status field that the server drops is sent once, reported once, and blamed on no field manager", async () => {
  await using world = await startOld();
  const writing = controller(Note, {
    reconcile: async ({ object, status }) => {
      status.seen = true;
      status.url = `https://${object.metadata.name}/${object.spec.text}`;
      status.pods = [{ name: "a", ip: "10.0.0.1" }];
    },
  });
  await using _running = await world.start(operator({ name: "notes", controllers: [writing] }));
  await world.client.create(Note, { metadata: { name: "one" }, spec: { text: "0" } });
  await world.settle();
  for (let run = 1; run <= 12; run++) {
    await world.client.patch(Note, "one", { merge: { spec: { text: `${run}` } } });
    await world.settle();
  }
  const patches = (): number =>
    world.sent.filter((line) => line.startsWith("PATCH") && line.endsWith("/status")).length;
  expect(patches()).toBe(1);
  const messages = world.logger.all.map(({ message }) => message);
  expect(messages.filter((message) => /field manager|flapping/.test(message))).toEqual([]);
  expect(messages.filter((message) => /drops fields/.test(message))).toHaveLength(1);
  const events = (await world.client.listPage(Event)).items.filter(({ reason }) => reason === "FieldsDropped");
  expect(events.map(({ type, note }) => `${type}: ${note}`)).toEqual([
    "Warning: The server drops .status.url, .status.pods[].ip: its CustomResourceDefinition does not specify them",
  ]);

  await world.client.update(CustomResourceDefinition, {
    ...crdOf(Note),
    metadata: { name: "notes.example.com", resourceVersion: await versionOf(world.client) },
  } as never);
  world.clock.advance(300_000);
  await world.client.patch(Note, "one", { merge: { spec: { text: "last" } } });
  await world.settle();
  expect((await world.client.get(Note, "one")).status).toEqual({
    seen: true,
    url: "https://one/last",
    pods: [{ name: "a", ip: "10.0.0.1" }],
  });
});

async function versionOf(client: ReturnType<typeof createClient>): Promise<string> {
  return (await client.get(CustomResourceDefinition, "notes.example.com")).metadata.resourceVersion ?? "";
}
