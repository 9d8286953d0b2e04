import { setTimeout as delay } from "node:timers/promises";
import { systemClock } from "@kubewright/core/clock";
import type { Transport } from "@kubewright/core/transport";
import { afterAll, beforeAll, expect, test } from "vitest";
import { InformerSet } from "../src/cache/index.js";
import { createClient } from "../src/client/index.js";
import { Deployment } from "../src/k8s/apps/v1.gen.js";
import { ConfigMap, Secret } from "../src/k8s/core/v1.gen.js";
import { type Controller, ControllerLoop, controller } from "../src/reconcile/index.js";
import { type RealWorld, startRealWorld, until } from "./real-world.js";
import { Website } from "./website.js";

let world: RealWorld;
let transport: RealWorld["transport"];
let client: RealWorld["client"];

beforeAll(async () => {
  world = await startRealWorld({ collectsGarbage: true });
  ({ transport, client } = world);
}, 60_000);

afterAll(() => world?.stop());

/** Runs a controller, for one test. While `isSilent`, no watch event of Websites arrives. */
async function run(description: Controller) {
  const sent: string[] = [];
  const silence = { isSilent: false };
  const observed: Transport = {
    send: (request) => {
      sent.push(`${request.method} ${request.path}`);
      return transport.send(request);
    },
    stream: async (request) => {
      const stream = await transport.stream(request);
      if (stream.kind !== "stream" || !request.path.endsWith("/websites")) return stream;
      return { ...stream, items: heard(stream.items, silence) };
    },
    close: async () => {},
  };
  const common = { client: createClient(observed), clock: systemClock, random: Math.random };
  const informers = new InformerSet({ ...common, managed: description.owns });
  const loop = new ControllerLoop({ ...common, controller: description, informers });
  const abort = new AbortController();
  const watching = informers.run(abort.signal);
  await loop.start(abort.signal);
  const stop = async (): Promise<void> => {
    await loop.stop();
    abort.abort();
    await watching;
  };
  return { loop, sent, silence, stop, [Symbol.asyncDispose]: stop };
}

async function* heard(items: AsyncIterable<unknown>, silence: { readonly isSilent: boolean }) {
  for await (const item of items) if (!silence.isSilent) yield item;
}

type Running = Awaited<ReturnType<typeof run>>;

/** Makes one more run of a Website, and returns its writes. */
async function writesOfRun({ loop, sent }: Running, name: string): Promise<string[]> {
  await until(() => loop.idle, "the controller is idle");
  const { runs } = loop;
  sent.length = 0;
  await client.patch(Website, name, { merge: { spec: { host: `${runs}.example.com` } } });
  await until(() => loop.runs > runs && loop.idle, "it ran again");
  return sent.filter((line) => !line.startsWith("GET ") && !line.endsWith("/status"));
}

const settingsOf = (adopt: boolean | "orphaned" = false) =>
  controller(Website, {
    owns: [ConfigMap],
    reconcile: async ({ object, apply }) => {
      const { name } = object.metadata;
      await apply(ConfigMap, { metadata: { name }, data: { image: object.spec.image } }, { adopt });
    },
  });

test("a child is created by one request, and one that another client has just created is not taken over", async () => {
  await using running = await run(settingsOf());
  await client.create(Website, { metadata: { name: "created" }, spec: { image: "a" } });
  const children = (): string[] => running.sent.filter((line) => line.includes("/configmaps/created"));
  await until(() => children().length > 0 && running.loop.idle, "the child is created");
  expect(children()).toEqual(["PATCH /api/v1/namespaces/default/configmaps/created"]);
  const { managedFields } = (await client.get(ConfigMap, "created")).metadata;
  expect(managedFields?.map(({ manager, operation }) => [manager, operation])).toEqual([["website", "Apply"]]);

  const theirs = { metadata: { name: "taken" }, data: { image: "theirs" } };
  const options = { fieldManager: "them", force: true };
  const absent = { ...theirs, metadata: { name: "taken", resourceVersion: "1" } };
  await client.apply(ConfigMap, absent as never, options);
  await expect(client.apply(ConfigMap, absent as never, options)).rejects.toMatchObject({ code: "API_CONFLICT" });
  const other = { ...theirs, metadata: { name: "taken", uid: "another" } };
  await expect(client.apply(ConfigMap, other as never, options)).rejects.toMatchObject({
    code: "API_INVALID",
    status: { details: { causes: expect.arrayContaining([expect.objectContaining({ field: "metadata.uid" })]) } },
  });
  const gone = { ...theirs, metadata: { name: "gone", uid: "another" } };
  await expect(client.apply(ConfigMap, gone as never, options)).rejects.toMatchObject({ code: "API_CONFLICT" });
});

test("nothing is applied twice, whatever form the server stores; known forms also after a restart", async () => {
  const deploying = (container: object) =>
    controller(Website, {
      name: "deploying",
      owns: [Deployment],
      reconcile: async ({ object, apply }) => {
        const { name } = object.metadata;
        const labels = { app: name };
        await apply(Deployment, {
          metadata: { name, annotations: {} },
          spec: {
            selector: { matchLabels: labels },
            template: {
              metadata: { labels },
              spec: {
                nodeSelector: {},
                tolerations: [],
                volumes: [{ name: "cache", emptyDir: { sizeLimit: "1024Mi" } }],
                containers: [
                  {
                    name: "web",
                    image: object.spec.image,
                    args: [],
                    ports: [],
                    env: [{ name: "MODE", value: "" }],
                    resources: { limits: { cpu: "1000m", memory: "1024Mi" } },
                    ...container,
                  },
                ],
              },
            },
          },
        });
      },
    });
  await client.create(Website, { metadata: { name: "forms" }, spec: { image: "a" } });
  const first = await run(deploying({}));
  expect(await writesOfRun(first, "forms")).toEqual([]);
  await first.stop();
  const second = await run(deploying({}));
  expect(await writesOfRun(second, "forms")).toEqual([]);
  await second.stop();
  expect(second.sent.filter((line) => line.startsWith("PATCH") && line.includes("/deployments"))).toEqual([]);

  const probe = { httpGet: { port: 80, path: "" }, initialDelaySeconds: 0 };
  const fieldRef = { fieldPath: "metadata.name" };
  await using third = await run(
    deploying({ livenessProbe: probe, tty: false, env: [{ name: "NAME", valueFrom: { fieldRef } }] }),
  );
  expect(await writesOfRun(third, "forms")).toEqual([]);
});

test("a key that left stringData leaves the Secret", async () => {
  const credentials = controller(Website, {
    name: "credentials",
    owns: [Secret],
    reconcile: async ({ object, apply }) => {
      const { name } = object.metadata;
      const token = object.spec.image === "revoked" ? {} : { token: "s3cret" };
      await apply(Secret, { metadata: { name }, stringData: { user: "alice", ...token } });
    },
  });
  await using running = await run(credentials);
  await client.create(Website, { metadata: { name: "secret" }, spec: { image: "a" } });
  const keys = async (): Promise<string[]> => Object.keys((await client.find(Secret, "secret"))?.data ?? {}).sort();
  await until(async () => (await keys()).length === 2, "the Secret is created");
  expect(await writesOfRun(running, "secret")).toEqual([]);
  await client.patch(Website, "secret", { merge: { spec: { image: "revoked" } } });
  await until(async () => (await keys()).length === 1, "the key is removed");
  expect(await keys()).toEqual(["user"]);
});

test("adopt: orphaned restores a removed controller reference, and replaces that of an earlier owner of the name", async () => {
  const owner = await client.create(Website, { metadata: { name: "orphan" }, spec: { image: "a" } });
  const uids = async () => (await client.find(ConfigMap, "orphan"))?.metadata.ownerReferences?.map(({ uid }) => uid);
  const isOwned = async (): Promise<boolean> => (await uids())?.join() === owner.metadata.uid;
  const strict = await run(settingsOf());
  await until(isOwned, "the child is created");
  const stripped = await client.patch(ConfigMap, "orphan", { merge: { metadata: { ownerReferences: [] } } });
  const failure = (): string => strict.loop.failing.get("default/orphan")?.message ?? "";
  await until(() => failure() !== "", "the run fails");
  expect(failure()).toContain(`(uid ${stripped.metadata.uid}) for Website "orphan" (uid ${owner.metadata.uid})`);
  expect(failure()).toContain('{ adopt: "orphaned" }');
  await strict.stop();

  await using repairing = await run(settingsOf("orphaned"));
  await until(isOwned, "the reference is restored");
  // Of a version that is not served, so that the garbage collector leaves it.
  const former = {
    apiVersion: "web.example.com/v0",
    kind: "Website",
    name: "orphan",
    uid: "00000000-0000-4000-8000-000000000000",
    controller: true,
  };
  await client.patch(ConfigMap, "orphan", { merge: { metadata: { ownerReferences: [former] } } });
  await until(isOwned, "the reference is replaced");
  expect((await client.get(ConfigMap, "orphan")).metadata.uid).toBe(stripped.metadata.uid);
  expect(await writesOfRun(repairing, "orphan")).toEqual([]);
});

test("an owner that was deleted while its watch is silent does not create its garbage-collected child again", async () => {
  await using running = await run(settingsOf());
  await client.create(Website, { metadata: { name: "stale" }, spec: { image: "a" } });
  await until(async () => (await client.find(ConfigMap, "stale")) !== undefined, "the child is created");
  await until(() => running.loop.idle, "the controller is idle");
  running.silence.isSilent = true;
  running.sent.length = 0;
  await client.delete(Website, "stale");
  const read = "GET /apis/web.example.com/v1/namespaces/default/websites/stale";
  await until(() => running.sent.includes(read), "the owner is read");
  await delay(1_000);
  expect(running.sent).toEqual([read]);
  expect(await client.find(ConfigMap, "stale")).toBeUndefined();
});
