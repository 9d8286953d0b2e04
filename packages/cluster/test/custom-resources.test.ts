import { expect, test } from "vitest";
import { definitions, type Loose, sample, sampleDefinition, samples, startTestCluster } from "./test-cluster.js";

const withStatus = {
  subresources: { status: {} },
  schema: {
    openAPIV3Schema: {
      type: "object",
      properties: {
        testString: { type: "string", default: "unset", maxLength: 10 },
        spec: { type: "object", properties: { replicas: { type: "integer", minimum: 1 } } },
        status: { type: "object", properties: { ready: { type: "integer" } } },
      },
    },
  },
};

const conditions = (definition: Loose): string[] =>
  definition.status.conditions.map((one: Loose) => `${one.type}=${one.status} ${one.reason}`);

test("a CRD is accepted and served immediately, with kube-apiserver's conditions", async () => {
  const { post, get, cluster } = await startTestCluster();
  expect((await post(samples, sample("a"))).status).toBe(404);
  const created = await post(definitions, sampleDefinition());
  expect(created.status).toBe(201);
  expect(created.body.spec.names).toEqual({
    kind: "Sample",
    plural: "samples",
    singular: "sample",
    listKind: "SampleList",
  });
  const { body } = await get(`${definitions}/samples.example.com`);
  expect(conditions(body)).toEqual(["NamesAccepted=True NoConflicts", "Established=True InitialNamesAccepted"]);
  expect(body.status.storedVersions).toEqual(["v1alpha1"]);
  expect(body.status.acceptedNames).toEqual(body.spec.names);
  expect((await post(samples, sample("a", { testString: "x" }))).body).toMatchObject({
    testString: "x",
    metadata: { generation: 1 },
  });
  expect(cluster.idle).toBe(true);
});

test("custom resources are pruned, defaulted and validated by their schema", async () => {
  const { post, merge } = await startTestCluster();
  await post(definitions, sampleDefinition(withStatus));
  const { body, headers } = await post(samples, sample("a", { foo: 1, spec: { replicas: 2, bar: 3 } }));
  expect(body.testString).toBe("unset");
  expect(body.spec).toEqual({ replicas: 2 });
  expect(headers["warning"]).toContain('unknown field \\"spec.bar\\"');
  expect((await post(samples, sample("b", { testString: 4 }))).body.message).toBe(
    'Sample.example.com "b" is invalid: testString: Invalid value: "integer": testString in body must be of type string: "integer"',
  );
  expect((await merge(`${samples}/a`, { spec: { replicas: 0 } })).body.message).toBe(
    'Sample.example.com "a" is invalid: spec.replicas: Invalid value: 0: spec.replicas in body should be greater than or equal to 1',
  );
});

test("status is written only through its subresource, and does not change the generation", async () => {
  const { post, merge, put } = await startTestCluster();
  await post(definitions, sampleDefinition(withStatus));
  await post(samples, sample("a", { spec: { replicas: 1 } }));
  const ignored = await merge(`${samples}/a`, { status: { ready: 1 }, spec: { replicas: 2 } });
  expect(ignored.body.status).toBeUndefined();
  expect(ignored.body.metadata.generation).toBe(2);
  const written = await merge(`${samples}/a/status`, {
    status: { ready: 1 },
    spec: { replicas: 9 },
    metadata: { labels: { x: "y" } },
  });
  expect(written.body).toMatchObject({ status: { ready: 1 }, spec: { replicas: 2 }, metadata: { generation: 2 } });
  expect(written.body.metadata.labels).toBeUndefined();
  expect(written.body.metadata.managedFields.at(-1)).toMatchObject({ manager: "tester", subresource: "status" });
  const labelled = await put(`${samples}/a`, {
    ...written.body,
    metadata: { ...written.body.metadata, labels: { x: "y" } },
  });
  expect(labelled.body.metadata).toMatchObject({ generation: 2, labels: { x: "y" } });
});

test("without a status subresource, status is an ordinary field", async () => {
  const { post, merge } = await startTestCluster();
  await post(definitions, sampleDefinition({ schema: withStatus.schema }));
  await post(samples, sample("a"));
  const { body } = await merge(`${samples}/a`, { status: { ready: 1 } });
  expect(body).toMatchObject({ status: { ready: 1 }, metadata: { generation: 2 } });
  expect((await merge(`${samples}/a/status`, {})).status).toBe(404);
});

test("all served versions return the stored object by their own schema, and an unserved version returns 404", async () => {
  const { post, get, put } = await startTestCluster();
  const version = (name: string, storage: boolean, field: string, served = true): Loose => ({
    name,
    served,
    storage,
    schema: {
      openAPIV3Schema: {
        type: "object",
        properties: { shared: { type: "string" }, [field]: { type: "string", default: field } },
      },
    },
  });
  const versions = [
    version("v1", true, "one"),
    version("v1beta1", false, "beta"),
    version("v1alpha1", false, "alpha", false),
  ];
  await post(definitions, sampleDefinition({}, { versions }));
  const beta = "/apis/example.com/v1beta1/namespaces/default/samples";
  await post(beta, { ...sample("a", { shared: "x" }), apiVersion: "example.com/v1beta1" });
  const { body } = await get("/apis/example.com/v1/namespaces/default/samples/a");
  expect(body).toMatchObject({ apiVersion: "example.com/v1", shared: "x", one: "one" });
  expect(body.beta).toBeUndefined();
  expect((await get(samples)).status).toBe(404);
  const { body: definition } = await get(`${definitions}/samples.example.com`);
  const flipped = versions.map((one) => ({ ...one, storage: one.name === "v1beta1" }));
  const { body: updated } = await put(`${definitions}/samples.example.com`, {
    ...definition,
    spec: { ...definition.spec, versions: flipped },
  });
  expect(updated.status.storedVersions).toEqual(["v1", "v1beta1"]);
  const { body: shown } = await get(`${beta}/a`);
  expect(shown).toMatchObject({ apiVersion: "example.com/v1beta1", shared: "x" });
  // Defaults on read come from the version that was stored.
  expect(shown.beta).toBeUndefined();
});

test.each([
  [
    {},
    { names: { kind: "Sample", plural: "others" } },
    /metadata.name: Invalid value: "samples.example.com": must be spec.names.plural\+"."\+spec.group/,
  ],
  [{ storage: false }, {}, /must have exactly one version marked as storage version/],
  [{ schema: undefined }, {}, /spec.versions\[0\].schema.openAPIV3Schema: Required value/],
  [
    { schema: { openAPIV3Schema: { type: "object", properties: { a: {} } } } },
    {},
    /properties\[a\].type: Required value: must not be empty for specified object fields/,
  ],
  [
    { additionalPrinterColumns: [{ name: "X", type: "text", jsonPath: ".x" }] },
    {},
    /type: Invalid value: "text": must be one of boolean,date,integer,number,string/,
  ],
  [
    {},
    { conversion: { strategy: "Webhook" } },
    /spec.conversion.webhookClientConfig: Required value: required when strategy is set to Webhook/,
  ],
  [{}, { scope: "World" }, /spec.scope: Unsupported value: "World": supported values: "Cluster", "Namespaced"/],
])("a CRD with %j and %j is rejected", async (version, spec, message) => {
  const { post } = await startTestCluster();
  const { status, body } = await post(definitions, sampleDefinition(version, spec));
  expect(status).toBe(422);
  expect(body.message).toMatch(message);
});

test("a CRD in a protected group requires the approval annotation", async () => {
  const { post, get } = await startTestCluster();
  const definition = sampleDefinition({}, { group: "sample.k8s.io" });
  definition.metadata.name = "samples.sample.k8s.io";
  expect((await post(definitions, definition)).body.message).toContain(
    'protected groups must have approval annotation "api-approved.kubernetes.io"',
  );
  definition.metadata.annotations = { "api-approved.kubernetes.io": "unapproved, experimental only" };
  await post(definitions, definition);
  expect(conditions((await get(`${definitions}/samples.sample.k8s.io`)).body)).toContain(
    "KubernetesAPIApprovalPolicyConformant=False UnapprovedAnnotation",
  );
});

test("names in use by another CRD are not accepted until it is deleted", async () => {
  const { post, get, remove } = await startTestCluster();
  await post(definitions, sampleDefinition());
  const other = sampleDefinition({}, { names: { kind: "Sample", plural: "specimens" } });
  other.metadata.name = "specimens.example.com";
  await post(definitions, other);
  const path = `${definitions}/specimens.example.com`;
  expect(conditions((await get(path)).body)).toEqual([
    "NamesAccepted=False ListKindConflict",
    "Established=False NotAccepted",
  ]);
  expect((await get("/apis/example.com/v1alpha1/namespaces/default/specimens")).status).toBe(404);
  await remove(`${definitions}/samples.example.com`);
  expect(conditions((await get(path)).body)).toEqual([
    "NamesAccepted=True NoConflicts",
    "Established=True InitialNamesAccepted",
  ]);
  expect((await get("/apis/example.com/v1alpha1/namespaces/default/specimens")).status).toBe(200);
});

test("a CRD is deleted after its custom resources, and their watches terminate", async () => {
  const { post, get, remove, merge, watch, cluster } = await startTestCluster();
  await post(definitions, sampleDefinition());
  await post(samples, sample("free"));
  await post(samples, sample("held", {}, { finalizers: ["x.y/z"] }));
  const events = await watch(samples);
  await events.next();
  await events.next();
  const marked = await remove(`${definitions}/samples.example.com`);
  expect(marked.body.metadata.finalizers).toEqual(["customresourcecleanup.apiextensions.k8s.io"]);
  expect((await get(samples)).body.items.map((item: Loose) => item.metadata.name)).toEqual(["held"]);
  expect((await post(samples, sample("new"))).body.message).toContain(
    "create not allowed while custom resource definition is terminating",
  );
  await merge(`${samples}/held`, { metadata: { finalizers: null } });
  expect((await get(`${definitions}/samples.example.com`)).status).toBe(404);
  expect((await get(samples)).status).toBe(404);
  const seen: string[] = [];
  for (let event = await events.next(); event !== undefined; event = await events.next())
    seen.push(`${event.type} ${event.object.metadata.name}`);
  expect(seen.filter((event) => event.startsWith("DELETED"))).toEqual(["DELETED free", "DELETED held"]);
  expect(cluster.idle).toBe(true);
  await post(definitions, sampleDefinition());
  expect((await get(samples)).body.items).toEqual([]);
});

test("the scale subresource reads and writes only the replicas", async () => {
  const { post, get, merge } = await startTestCluster();
  const scale = { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.ready" };
  await post(definitions, sampleDefinition({ ...withStatus, subresources: { status: {}, scale } }));
  await post(samples, sample("a", { spec: { replicas: 2 } }));
  expect((await get(`${samples}/a/scale`)).body).toMatchObject({
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    spec: { replicas: 2 },
    status: { replicas: 0 },
  });
  expect((await merge(`${samples}/a/scale`, { spec: { replicas: 3 } })).body.spec).toEqual({ replicas: 3 });
  expect((await get(`${samples}/a`)).body).toMatchObject({ spec: { replicas: 3 }, metadata: { generation: 2 } });
});

test("field selectors support only the selectable fields of a version", async () => {
  const { post, get } = await startTestCluster();
  await post(definitions, sampleDefinition({ selectableFields: [{ jsonPath: ".testString" }] }));
  await post(samples, sample("a", { testString: "x" }));
  await post(samples, sample("b"));
  const { body } = await get(samples, { fieldSelector: "testString=x" });
  expect(body.items.map((item: Loose) => item.metadata.name)).toEqual(["a"]);
  expect((await get(samples, { fieldSelector: "spec.x=1" })).body.message).toBe("field label not supported: spec.x");
});

test("a deprecated version returns a warning for every request", async () => {
  const { post, get } = await startTestCluster();
  await post(definitions, sampleDefinition({ deprecated: true }));
  expect((await get(samples)).headers["warning"]).toBe('299 - "example.com/v1alpha1 Sample is deprecated"');
});

test("an apply with empty labels always increases the resourceVersion, an apply without labels does not", async () => {
  const { post, apply } = await startTestCluster();
  await post(definitions, sampleDefinition());
  const versionAfter = async (metadata: Loose): Promise<number> => {
    const body = { ...sample("a"), metadata: { name: "a", ...metadata } };
    return Number((await apply(`${samples}/a`, body, "one")).body.metadata.resourceVersion);
  };
  const created = await versionAfter({ labels: {} });
  const applied = await versionAfter({ labels: {} });
  expect(applied).toBeGreaterThan(created);
  expect(await versionAfter({ labels: {} })).toBeGreaterThan(applied);
  const plain = await versionAfter({});
  expect(await versionAfter({})).toBe(plain);
});

test("unknown fields are also reported for an object of another kind", async () => {
  const { post } = await startTestCluster();
  await post(definitions, sampleDefinition());
  const sent = { apiVersion: "other/v1", kind: "Sample", metadata: { name: "a", extra: 1 } };
  const warned = await post(samples, sent);
  expect(warned.body.message).toContain("the API version in the data (other/v1) does not match");
  expect(warned.headers["warning"]).toBe('299 - "unknown field \\"metadata.extra\\""');
  const strict = await post(samples, { ...sent, kind: "Other" }, { fieldValidation: "Strict" });
  expect(strict.body.message).toBe(
    'Other in version "v1" cannot be handled as a Sample: strict decoding error: unknown field "metadata.extra"',
  );
});
