import { fileURLToPath } from "node:url";
import { PermissionLog, type TestCluster, testCluster } from "@kubewright/testing";
import { Deployment } from "kubewright/k8s/apps/v1";
import { Secret } from "kubewright/k8s/core/v1";
import { expect, test } from "vitest";
import { Gateway, gatewayOperator, Route } from "./index.js";

const samples = fileURLToPath(new URL("../samples", import.meta.url));
const certificate = (value: string) => ({
  metadata: { name: "shop-tls" },
  stringData: { "tls.crt": value, "tls.key": "k" },
});

async function routesOf(cluster: TestCluster): Promise<string[]> {
  const { data } = await cluster.get(Secret, "public-config");
  return Buffer.from(data?.["routes.conf"] ?? "", "base64")
    .toString()
    .split("\n");
}

test("a Gateway serves its Routes, and those with a certificate once their Secret exists", async () => {
  await using cluster = await testCluster(gatewayOperator, { manifests: [samples] });
  await cluster.settle();
  expect(await routesOf(cluster)).toEqual(["blog.example.com -> blog"]);
  expect((await cluster.conditions(Gateway, "public")).Ready).toMatchObject({
    reason: "SecretMissing",
    message: "Secrets that do not exist: shop-tls",
  });

  await cluster.create(Secret, certificate("one"));
  await cluster.settle();
  expect(await routesOf(cluster)).toEqual(["blog.example.com -> blog", "shop.example.com -> shop (tls shop)"]);
  expect((await cluster.conditions(Gateway, "public")).Ready?.reason).toBe("Programmed");
  expect((await cluster.get(Gateway, "public")).status?.routes).toBe(2);
});

test("a renewed certificate restarts the Gateway, and a Secret that no Route names does not", async () => {
  await using cluster = await testCluster(gatewayOperator, { manifests: [samples] });
  await cluster.create(Secret, certificate("one"));
  await cluster.settle();
  const { generation = 0 } = (await cluster.get(Deployment, "public")).metadata;
  const requests = cluster.operatorRequests;
  await cluster.create(Secret, { metadata: { name: "other" }, stringData: { "tls.crt": "x" } });
  await cluster.settle();
  expect(cluster.operatorRequests).toBe(requests);

  await cluster.patch(Secret, "shop-tls", { merge: { stringData: { "tls.crt": "two" } } });
  await cluster.settle();
  const { data } = await cluster.get(Secret, "public-config");
  expect(Buffer.from(data?.["shop-tls.crt"] ?? "", "base64").toString()).toBe("two");
  expect((await cluster.get(Deployment, "public")).metadata.generation).toBe(generation + 1);
});

test("a Route that moves to another Gateway leaves the first one", async () => {
  await using cluster = await testCluster(gatewayOperator, { manifests: [samples] });
  await cluster.settle();
  expect((await cluster.conditions(Route, "blog")).Accepted?.reason).toBe("Attached");
  await cluster.patch(Route, "blog", { merge: { spec: { gateway: "internal" } } });
  await cluster.settle();
  expect(await routesOf(cluster)).toEqual([""]);
  expect((await cluster.conditions(Route, "blog")).Accepted?.reason).toBe("GatewayMissing");

  await cluster.create(Gateway, { metadata: { name: "internal" }, spec: { image: "gateway:1" } });
  await cluster.settle();
  expect((await cluster.conditions(Route, "blog")).Accepted?.reason).toBe("Attached");
  expect((await cluster.get(Gateway, "internal")).status?.routes).toBe(1);
});

test("the operator uses only the permissions of its role", async () => {
  const permissions = new PermissionLog();
  await using cluster = await testCluster(gatewayOperator, { manifests: [samples], permissions });
  await cluster.settle();
  expect(permissions.compare(gatewayOperator.rules()).undeclared).toEqual([]);
});
