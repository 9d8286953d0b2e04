import { admit, testCluster } from "@kubewright/testing";
import { createClient, isInvalid } from "kubewright";
import { Deployment } from "kubewright/k8s/apps/v1";
import { expect, test } from "vitest";
import { Foo, fooOperator, fooWebhooks } from "./index.js";

const metadata = { name: "shop" };

test("a Foo without replicas gets 1, which the validator sees", async () => {
  const { object, warnings } = await admit(fooWebhooks, { object: { metadata, spec: { deploymentName: "web" } } });
  expect(object).toMatchObject({ spec: { deploymentName: "web", replicas: 1 } });
  expect(warnings).toEqual(["spec.replicas is 1: the Deployment has no redundancy"]);
});

test("an invalid Foo is denied with its field", async () => {
  const { causes } = await admit(fooWebhooks, { object: { metadata, spec: { deploymentName: "Web" } } });
  expect(causes).toEqual([
    {
      field: "spec.deploymentName",
      reason: "FieldValueInvalid",
      message: 'Invalid value: "Web": must consist of lower case letters, digits, dashes and dots',
    },
  ]);
});

test("a cluster stores one replica for a Foo without replicas, in both versions, and warns", async () => {
  await using cluster = await testCluster(fooOperator);
  const warnings: string[] = [];
  const { namespace } = cluster;
  const client = createClient(cluster.transport, { namespace, onWarning: (warning) => warnings.push(warning) });
  await client.create(Foo, { metadata, spec: { deploymentName: "web" } });
  await client.create(Foo.v1beta1, { metadata: { name: "beta" }, spec: { deployment: { name: "beta-web" } } });
  await cluster.settle();
  expect((await cluster.get(Foo.v1beta1, "shop")).spec).toEqual({ deployment: { name: "web" }, replicas: 1 });
  expect((await cluster.get(Foo, "beta")).spec).toEqual({ deploymentName: "beta-web", replicas: 1 });
  expect((await cluster.get(Deployment, "beta-web")).spec.replicas).toBe(1);
  expect(new Set(warnings)).toEqual(new Set(["spec.replicas is 1: the Deployment has no redundancy"]));
});

test("a cluster rejects an invalid Foo, in each version, with a message that names the field", async () => {
  await using cluster = await testCluster(fooOperator);
  const spec = { deploymentName: "Not a name", replicas: 2 };
  const error = await cluster.create(Foo, { metadata, spec }).catch((reason: unknown) => reason);
  expect(isInvalid(error) && error.status.message).toBe(
    'admission webhook "validate.foos.v1alpha1.samplecontroller.k8s.io" denied the request: Foo.samplecontroller.k8s.io "shop" is invalid: spec.deploymentName: Invalid value: "Not a name": must consist of lower case letters, digits, dashes and dots',
  );
  expect(isInvalid(error) && error.causes.map(({ field }) => field)).toEqual(["spec.deploymentName"]);
  const beta = { deployment: { name: "Not a name" }, replicas: 2 };
  await expect(cluster.create(Foo.v1beta1, { metadata, spec: beta })).rejects.toThrow("spec.deploymentName");
  await cluster.create(Foo, { metadata, spec: { deploymentName: "web", replicas: 2 } });
  await expect(cluster.patch(Foo, "shop", { merge: { spec: { deploymentName: "other" } } })).rejects.toThrow(
    'must not change: Deployment "web" would be left behind',
  );
  expect(await cluster.find(Deployment, "Not a name")).toBeUndefined();
});
