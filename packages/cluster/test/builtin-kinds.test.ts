import { expect, test } from "vitest";
import { type Loose, startTestCluster } from "./test-cluster.js";

const deployments = "/apis/apps/v1/namespaces/default/deployments";
const minimal = (): Loose => ({
  metadata: { name: "web" },
  spec: {
    selector: { matchLabels: { app: "web" } },
    template: {
      metadata: { labels: { app: "web" } },
      spec: { containers: [{ name: "web", image: "nginx", ports: [{ containerPort: 80 }] }] },
    },
  },
});

test("a minimal Deployment gets kube-apiserver's defaults", async () => {
  const { post } = await startTestCluster();
  const { body } = await post(deployments, minimal());
  expect(body.spec).toEqual({
    progressDeadlineSeconds: 600,
    replicas: 1,
    revisionHistoryLimit: 10,
    selector: { matchLabels: { app: "web" } },
    strategy: { rollingUpdate: { maxSurge: "25%", maxUnavailable: "25%" }, type: "RollingUpdate" },
    template: {
      metadata: { labels: { app: "web" } },
      spec: {
        containers: [
          {
            image: "nginx",
            imagePullPolicy: "Always",
            name: "web",
            ports: [{ containerPort: 80, protocol: "TCP" }],
            resources: {},
            terminationMessagePath: "/dev/termination-log",
            terminationMessagePolicy: "File",
          },
        ],
        dnsPolicy: "ClusterFirst",
        restartPolicy: "Always",
        schedulerName: "default-scheduler",
        securityContext: {},
        terminationGracePeriodSeconds: 30,
      },
    },
  });
  expect(body.status).toEqual({});
  expect(body.metadata.generation).toBe(1);
});

test("an invalid Deployment is rejected with kube-apiserver's message", async () => {
  const { post } = await startTestCluster();
  expect((await post(deployments, { metadata: { name: "x" } })).body.message).toBe(
    'Deployment.apps "x" is invalid: [spec.selector: Required value, spec.template.metadata.labels: Invalid value: null: `selector` does not match template `labels`, spec.template.spec.containers: Required value]',
  );
  const wrong = minimal();
  wrong.spec.template.metadata.labels = { app: "other" };
  wrong.spec.template.spec.containers[0].image = "";
  wrong.spec.template.spec.restartPolicy = "Never";
  expect(
    (await post(deployments, wrong)).body.details.causes.map((cause: Loose) => `${cause.field}: ${cause.message}`),
  ).toEqual([
    'spec.template.metadata.labels: Invalid value: {"app":"other"}: `selector` does not match template `labels`',
    "spec.template.spec.containers[0].image: Required value",
    'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
  ]);
  const typed = minimal();
  typed.spec.replicas = "x";
  expect((await post(deployments, typed)).body.message).toBe(
    'Deployment in version "v1" cannot be handled as a Deployment: json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32',
  );
});

test("a Deployment's selector is immutable, and its status is written only through the status subresource", async () => {
  const { post, merge } = await startTestCluster();
  await post(deployments, minimal());
  const path = `${deployments}/web`;
  expect(
    (
      await merge(path, {
        spec: { selector: { matchLabels: { app: "web", x: "y" } }, template: { metadata: { labels: { x: "y" } } } },
      })
    ).body.message,
  ).toContain("field is immutable");
  expect((await merge(path, { status: { replicas: 3 } })).body.status).toEqual({});
  const { body } = await merge(`${path}/status`, {
    status: { replicas: 3, readyReplicas: 2, availableReplicas: 2, updatedReplicas: 1 },
  });
  expect(body.status.replicas).toBe(3);
  expect(body.metadata.generation).toBe(1);
  expect((await merge(`${path}/status`, { status: { readyReplicas: 9 } })).body.message).toContain(
    "cannot be greater than status.replicas",
  );
  expect((await merge(`${path}/scale`, { spec: { replicas: 5 } })).body.spec.replicas).toBe(5);
});

test("stringData of a Secret is encoded into data, and its type is immutable", async () => {
  const { post, merge } = await startTestCluster();
  const secrets = "/api/v1/namespaces/default/secrets";
  const { body } = await post(secrets, { metadata: { name: "s" }, stringData: { a: "b" } });
  expect(body).toMatchObject({ type: "Opaque", data: { a: "Yg==" } });
  expect(body.stringData).toBeUndefined();
  expect((await merge(`${secrets}/s`, { type: "other" })).body.message).toBe(
    'Secret "s" is invalid: type: Invalid value: "other": field is immutable',
  );
  expect((await post(secrets, { metadata: { name: "t" }, type: "kubernetes.io/tls" })).body.message).toContain(
    "data[tls.crt]: Required value",
  );
});

test("an immutable ConfigMap cannot change", async () => {
  const { post, merge } = await startTestCluster();
  const path = "/api/v1/namespaces/default/configmaps";
  await post(path, { metadata: { name: "a" }, immutable: true, data: { x: "1" } });
  expect((await merge(`${path}/a`, { data: { x: "2" } })).body.message).toBe(
    'ConfigMap "a" is invalid: data: Forbidden: field is immutable when `immutable` is set',
  );
});

test("the core and events.k8s.io groups serve the same Events", async () => {
  const { post, get } = await startTestCluster();
  const core = "/api/v1/namespaces/default/events";
  const events = "/apis/events.k8s.io/v1/namespaces/default/events";
  const involvedObject = { kind: "ConfigMap", name: "c", namespace: "default" };
  const { body } = await post(core, {
    metadata: { name: "e" },
    involvedObject,
    reason: "X",
    message: "hello",
    type: "Normal",
  });
  expect(body).toMatchObject({ eventTime: null, firstTimestamp: null, source: {}, reportingComponent: "" });
  const seen = await get(`${events}/e`);
  expect(seen.body).toMatchObject({
    apiVersion: "events.k8s.io/v1",
    regarding: involvedObject,
    note: "hello",
    deprecatedSource: {},
  });
  expect(seen.body.message).toBeUndefined();
  await post(events, {
    metadata: { name: "e2" },
    regarding: involvedObject,
    reason: "Y",
    note: "there",
    type: "Warning",
    action: "Act",
    reportingController: "a.b/c",
    reportingInstance: "x",
    eventTime: "2026-01-01T00:00:00.000000Z",
  });
  expect((await get(`${core}/e2`)).body).toMatchObject({
    message: "there",
    involvedObject,
    reportingComponent: "a.b/c",
  });
  expect((await get(core, { fieldSelector: "involvedObject.name=c,type=Warning" })).body.items).toHaveLength(1);
  expect((await post(events, { metadata: { name: "q" } })).body.message).toBe(
    'Event.events.k8s.io "q" is invalid: [eventTime: Required value, type: Invalid value: "": has invalid value: ]',
  );
});

test("every stored GA kind is served, listed and printed as a Table", async () => {
  const { get, cluster } = await startTestCluster();
  const groups = (await get("/apis")).body.groups.flatMap((group: Loose) =>
    group.versions.map((version: Loose) => `/apis/${version.groupVersion}`),
  );
  let served = 0;
  for (const groupVersion of ["/api/v1", ...groups])
    for (const { name, verbs } of (await get(groupVersion)).body.resources) {
      if (name.includes("/") || !verbs.includes("list")) continue;
      served++;
      const { status, body } = await get(
        `${groupVersion}/${name}`,
        {},
        { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" },
      );
      expect([groupVersion, name, status, body.kind]).toEqual([groupVersion, name, 200, "Table"]);
    }
  expect(served).toBeGreaterThan(55);
  await cluster.close();
});

test("access reviews return a result and are not stored", async () => {
  const { post, cluster } = await startTestCluster();
  const before = cluster.revision;
  const path = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
  const { status, body } = await post(path, { spec: { resourceAttributes: { verb: "list", resource: "pods" } } });
  expect(status).toBe(201);
  expect(body).toMatchObject({ kind: "SelfSubjectAccessReview", status: { allowed: true } });
  expect(cluster.revision).toBe(before);
});

test("all component statuses are healthy", async () => {
  const { get, cluster } = await startTestCluster();
  const { body, headers } = await get(
    "/api/v1/componentstatuses",
    {},
    { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" },
  );
  expect(body.rows.map(({ cells }: Loose) => cells)).toEqual(
    ["scheduler", "controller-manager", "etcd-0"].map((name) => [name, "Healthy", "ok", ""]),
  );
  expect(headers["warning"]).toBe('299 - "v1 ComponentStatus is deprecated in v1.19+"');
  await cluster.close();
});

test("subresources that need a kubelet return 501", async () => {
  const { get, post } = await startTestCluster();
  await post("/api/v1/nodes", { metadata: { name: "n" } });
  await post("/api/v1/namespaces/default/pods", {
    metadata: { name: "p" },
    spec: { nodeName: "n", containers: [{ name: "a", image: "b" }] },
  });
  const { status, body } = await get("/api/v1/namespaces/default/pods/p/exec");
  expect(status).toBe(501);
  expect(body.message).toContain('Cannot serve "pods/exec"');
});

test("a scheduled Pod is deleted after its grace period, an unscheduled Pod immediately", async () => {
  const { post, get, remove } = await startTestCluster();
  const pods = "/api/v1/namespaces/default/pods";
  const pod = (name: string, spec: Loose = {}) => ({
    metadata: { name },
    spec: { containers: [{ name: "a", image: "b" }], ...spec },
  });
  await post(pods, pod("placed", { nodeName: "n" }));
  await post(pods, pod("free"));
  expect((await remove(`${pods}/free`)).status).toBe(200);
  expect((await get(`${pods}/free`)).status).toBe(404);
  const { body } = await remove(`${pods}/placed`);
  expect(body.metadata).toMatchObject({ deletionTimestamp: "2030-01-01T00:00:30Z", deletionGracePeriodSeconds: 30 });
  await remove(`${pods}/placed`, { gracePeriodSeconds: 0 });
  expect((await get(`${pods}/placed`)).status).toBe(404);
});

test("an update of a missing Lease creates it", async () => {
  const { put } = await startTestCluster();
  const { status, body } = await put("/apis/coordination.k8s.io/v1/namespaces/default/leases/l", {
    metadata: { name: "l" },
    spec: { holderIdentity: "me" },
  });
  expect(status).toBe(201);
  expect(body.metadata.uid).toBeDefined();
});
