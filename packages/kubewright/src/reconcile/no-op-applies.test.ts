import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { TransportRequest } from "@kubewright/core/transport";
import { expect, test } from "vitest";
import { type RunningController, runController } from "../../test/running-controller.js";
import { shop, Website } from "../../test/website.js";
import { select } from "../cache/index.js";
import { Deployment } from "../k8s/apps/v1.gen.js";
import { ConfigMap, Secret } from "../k8s/core/v1.gen.js";
import { controller } from "./index.js";

const writes = (sent: readonly string[]): string[] => sent.filter((line) => !line.startsWith("GET "));

/** A Deployment of which the server stores many fields in another form. `container` and `pod` are added to it. */
const deploymentOf = (name: string, container: object, pod: object = {}) => ({
  metadata: { name, labels: {}, annotations: {} },
  spec: {
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name }, annotations: {} },
      spec: { ...pod, containers: [{ name: "web", image: "web:1", ...container }] },
    },
  },
});

const applying = (container: object, pod: object = {}) =>
  controller(Website, {
    owns: [Deployment],
    reconcile: async ({ object, apply }) => {
      await apply(Deployment, deploymentOf(object.metadata.name, container, pod) as never);
    },
  });

/** Triggers another run, and returns the writes since the last call. */
async function writesOfRun({ client, settle, sent, loop }: RunningController): Promise<string[]> {
  sent.length = 0;
  const before = loop.runs;
  await client.patch(Website, "shop", { merge: { metadata: { labels: { run: `${before}` } } } });
  await settle();
  expect(loop.runs).toBeGreaterThan(before);
  return writes(sent);
}

test("quantities, empty maps and lists, and empty env values are not applied again, nor after a restart", async () => {
  const settings = applying(
    {
      command: [],
      args: [],
      ports: [],
      env: [{ name: "MODE", value: "" }],
      resources: { limits: { cpu: "1000m", memory: "1024Mi" }, requests: { cpu: 0.5 } },
    },
    { nodeSelector: {}, tolerations: [], volumes: [{ name: "cache", emptyDir: { sizeLimit: "1024Mi" } }] },
  );
  const first = await runController(settings, { install: [Website] });
  await first.client.create(Website, shop);
  await first.settle();
  expect(await writesOfRun(first)).toEqual([]);
  await using second = await first.restart(settings);
  expect(writes(second.sent)).toEqual([]);
  expect(await writesOfRun(second)).toEqual([]);
});

test("a changed quantity is applied, also where it looks alike in a field that is no quantity", async () => {
  const shopOf = (value: string, cpu: string) =>
    applying({ env: [{ name: "CPU", value }], resources: { limits: { cpu } } });
  const first = await runController(shopOf("1", "1"), { install: [Website] });
  await first.client.create(Website, shop);
  await first.settle();
  const second = await first.restart(shopOf("1000m", "1"));
  await second.settle();
  const container = async () => (await second.client.get(Deployment, "shop")).spec.template.spec?.containers[0];
  expect((await container())?.env).toEqual([{ name: "CPU", value: "1000m" }]);
  await using third = await second.restart(shopOf("1000m", "1001m"));
  await third.settle();
  expect((await container())?.resources?.limits).toEqual({ cpu: "1001m" });
});

test("whatever form the server stores, an object is applied once, and again only after a change by another client", async () => {
  const settings = applying({
    tty: false,
    livenessProbe: { httpGet: { port: 80, path: "" }, initialDelaySeconds: 0 },
    env: [{ name: "NAME", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } }],
  });
  await using running = await runController(settings, { install: [Website] });
  await running.client.create(Website, shop);
  await running.settle();
  expect(await writesOfRun(running)).toEqual([]);

  const status = { observedGeneration: 1, replicas: 1, unavailableReplicas: 1 };
  await running.client.patchStatus(Deployment, "shop", { merge: { status } }, { fieldManager: "kubelet" });
  await running.settle();
  expect(writes(running.sent)).toEqual([]);

  const containers = [{ name: "web", image: "web:1", tty: true }];
  const strategic = { spec: { template: { spec: { containers } } } };
  await running.client.patch(Deployment, "shop", { strategic }, { fieldManager: "someone" });
  await running.settle();
  expect(writes(running.sent)).toHaveLength(1);
  expect((await running.client.get(Deployment, "shop")).spec.template.spec?.containers[0]?.tty).not.toBe(true);
  expect(await writesOfRun(running)).toEqual([]);
});

test("nothing is kept of a child that was deleted", async () => {
  const kept: WeakRef<object>[] = [];
  const transform = <T extends object>(object: T): T => {
    const copy = { ...object };
    kept.push(new WeakRef(copy));
    return copy;
  };
  const website = controller(Website, {
    owns: [select(Deployment, { transform })],
    reconcile: async ({ object, apply }) => {
      // The server stores it in another form, which is remembered.
      await apply(Deployment, deploymentOf(object.metadata.name, { tty: false }) as never);
    },
  });
  await using running = await runController(website, { install: [Website] });
  await running.client.create(Website, shop);
  await running.settle();
  expect(await writesOfRun(running)).toEqual([]);
  await running.client.delete(Website, "shop");
  // The last change of a cache is remembered until the next one.
  await running.client.create(Deployment, deploymentOf("other", {}) as never);
  await running.settle();
  setFlagsFromString("--expose-gc");
  const gc = runInNewContext("gc") as () => void;
  for (let turn = 0; turn < 3; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
    gc();
  }
  const left = kept.flatMap((ref) => ref.deref() ?? []) as { readonly metadata: { readonly name: string } }[];
  expect(left.map(({ metadata }) => metadata.name)).toEqual(["other"]);
});

test("a zero after a null is applied, although the server stored nothing for the null", async () => {
  const running = await runController(applying({}, { securityContext: { runAsUser: null, fsGroup: 1 } }), {
    install: [Website],
  });
  await running.client.create(Website, shop);
  await running.settle();
  expect(await writesOfRun(running)).toEqual([]);
  await using after = await running.restart(applying({}, { securityContext: { runAsUser: 0, fsGroup: 1 } }));
  await after.settle();
  const { spec } = (await after.client.get(Deployment, "shop")).spec.template;
  expect(spec?.securityContext).toEqual({ runAsUser: 0, fsGroup: 1 });
});

test("a key that left stringData leaves the Secret, stringData wins over data, and nothing is applied twice", async () => {
  const credentials = controller(Website, {
    owns: [Secret],
    reconcile: async ({ object, apply }) => {
      const revoked = object.spec.host === undefined ? {} : { token: "s3cret" };
      await apply(Secret, {
        metadata: { name: "credentials" },
        data: { user: "Ym9i", kept: "a2VwdA==" },
        stringData: { user: "älice", ...revoked },
      });
    },
  });
  await using running = await runController(credentials, { install: [Website] });
  await running.client.create(Website, { ...shop, spec: { image: "shop:1", host: "a.example.com" } });
  await running.settle();
  const stored = async () => (await running.client.get(Secret, "credentials")).data;
  const user = Buffer.from("älice").toString("base64");
  expect(await stored()).toEqual({ user, kept: "a2VwdA==", token: Buffer.from("s3cret").toString("base64") });
  expect(await writesOfRun(running)).toEqual([]);
  await running.client.patch(Website, "shop", { merge: { spec: { host: null } } });
  await running.settle();
  expect(await stored()).toEqual({ user, kept: "a2VwdA==" });
});

test("create stores stringData of a Secret as data, and leaves other kinds as they are", async () => {
  const creating = controller(Website, {
    owns: [Secret, ConfigMap],
    reconcile: async ({ create, find }) => {
      if ((await find(Secret, "credentials")) !== undefined) return;
      await create(Secret, { metadata: { name: "credentials" }, stringData: { token: "s3cret" } });
      await create(ConfigMap, { metadata: { name: "settings" }, data: { stringData: "x" } });
    },
  });
  const bodies: object[] = [];
  const intercept = ({ method, body }: TransportRequest) => void (method === "POST" && bodies.push(body as object));
  await using running = await runController(creating, { install: [Website], intercept });
  await running.client.create(Website, shop);
  await running.settle();
  const data = { token: Buffer.from("s3cret").toString("base64") };
  expect(bodies).toMatchObject([
    { kind: "Secret", data },
    { kind: "ConfigMap", data: { stringData: "x" } },
  ]);
  expect(bodies[0]).not.toHaveProperty("stringData");
  expect((await running.client.get(Secret, "credentials")).data).toEqual(data);
});
