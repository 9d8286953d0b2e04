import { startCluster } from "@kubewright/cluster";
import { systemClock } from "@kubewright/core/clock";
import { expect, test } from "vitest";
import { z } from "zod";
import { createClient } from "../client/index.js";
import { defineResource } from "../definition/index.js";
import { CustomResourceDefinition } from "../k8s/apiextensions/v1.gen.js";
import { controller } from "../reconcile/index.js";
import { installCRDs } from "./install-crds.js";
import { operator } from "./operator.js";

const pool = (spec: z.ZodObject) => defineResource({ group: "example.com", kind: "Pool", versions: { v1: { spec } } });

test("a CRD is installed and upgraded; a change that could lose data is rejected without allowUnsafe", async () => {
  await using cluster = await startCluster();
  const client = createClient(cluster.transport);
  const options = { client, clock: systemClock, fieldManager: "pools" };
  await installCRDs([pool(z.object({ size: z.int32() }))], options);
  await installCRDs([pool(z.object({ size: z.int32(), note: z.string().optional() }))], options);
  const narrow = pool(z.object({ size: z.int32().max(3) }));
  await expect(installCRDs([narrow], options)).rejects.toThrow(
    'Cannot install CustomResourceDefinition "pools.example.com": existing objects would lose data: version "v1": "spec.size": "maximum" is lowered to 3; version "v1": "spec.note": the field is removed; migrate them first, or install it with `allowUnsafe`',
  );
  const maximum = async () => {
    const { spec } = await client.get(CustomResourceDefinition, "pools.example.com");
    return JSON.stringify(spec.versions[0]?.schema).includes('"maximum":3');
  };
  expect(await maximum()).toBe(false);
  await installCRDs([narrow], { ...options, allowUnsafe: true });
  expect(await maximum()).toBe(true);
});

test("an operator that installs its CRDs at startup also rejects an unsafe change without allowUnsafe", async () => {
  await using cluster = await startCluster();
  const start = (size: z.ZodInt32, allowUnsafe: boolean) => {
    const made = controller(pool(z.object({ size })), { reconcile: () => {} });
    const { transport } = cluster;
    return operator({ name: "pools", controllers: [made] }).start({ transport, installCRDs: { allowUnsafe } });
  };
  await (await start(z.int32(), false)).stop();
  await expect(start(z.int32().max(3), false)).rejects.toThrow('"maximum" is lowered to 3');
  await (await start(z.int32().max(3), true)).stop();
});

test("a CRD with conversion functions is installed only with the address of its conversion webhook", async () => {
  const spec = z.object({});
  const body = () => ({ spec: {} });
  const versions = { v1: { spec }, v2: { spec } };
  const convert = { v1: { toHub: body, fromHub: body } };
  const converted = defineResource({ group: "example.com", kind: "Pool", hub: "v2", versions, convert });
  await using cluster = await startCluster();
  const options = { client: createClient(cluster.transport), clock: systemClock, fieldManager: "pools" };
  await expect(installCRDs([converted], options)).rejects.toThrow(
    'Cannot install CustomResourceDefinition "pools.example.com": its versions are converted by functions; set where they are served',
  );
});

test("a conversion webhook moves between a Service and a URL, whichever field manager set it before", async () => {
  await using cluster = await startCluster();
  const client = createClient(cluster.transport);
  const converted = defineResource({
    group: "example.com",
    kind: "Pool",
    hub: "v1",
    versions: { v1: { spec: z.object({ a: z.string() }) }, v2: { spec: z.object({ b: z.string() }) } },
    convert: {
      v2: { toHub: ({ spec }) => ({ spec: { a: spec.b } }), fromHub: ({ spec }) => ({ spec: { b: spec.a } }) },
    },
  });
  const service = { namespace: "default", name: "hooks", path: "/convert" };
  const url = "https://127.0.0.1:9443/convert";
  const clientConfig = async () =>
    (await client.get(CustomResourceDefinition, "pools.example.com")).spec.conversion?.webhook?.clientConfig;
  const how = { client, clock: systemClock };
  await installCRDs([converted], { ...how, fieldManager: "deployed", conversionWebhook: { service } });
  expect(await clientConfig()).toMatchObject({ service });
  await installCRDs([converted], { ...how, fieldManager: "local", conversionWebhook: { url } });
  expect(await clientConfig()).toEqual({ url });
  await installCRDs([converted], { ...how, fieldManager: "deployed", conversionWebhook: { service } });
  expect(await clientConfig()).toMatchObject({ service });
  expect(await clientConfig()).not.toHaveProperty("url");
});
