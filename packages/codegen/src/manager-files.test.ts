import { startCluster } from "@kubewright/cluster";
import { controller, createClient, defineResource, operator, webhooks, z } from "kubewright";
import { Deployment } from "kubewright/k8s/apps/v1";
import { expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { generateManifests, installerFile } from "./index.js";

const Pool = defineResource({
  group: "example.com",
  kind: "Pool",
  versions: { v1: { spec: z.object({ size: z.int32() }) } },
});
const pools = operator({ name: "pools", controllers: [controller(Pool, { reconcile: async () => {} })] });
const options = { operators: [pools], namespace: "shop-system", image: "registry.example.com/shop:1.0.0" };

function made(more: object = {}): ReadonlyMap<string, string> {
  return new Map(generateManifests({ ...options, ...more }).map(({ path, text }) => [path, text]));
}

test("with an image, a Deployment runs the operator with probes, leader election, resources and a restricted security context", () => {
  const { metadata, spec } = parse(made().get("manager/manager.yaml") ?? "");
  expect(metadata).toMatchObject({ name: "pools", namespace: "shop-system" });
  expect(spec.template.spec).toMatchObject({
    serviceAccountName: "pools",
    securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
    containers: [
      {
        image: "registry.example.com/shop:1.0.0",
        args: ["--leader-elect", "--health-probe-bind-address=:8081", "--metrics-bind-address=:8443"],
        livenessProbe: { httpGet: { path: "/healthz", port: "health" }, initialDelaySeconds: 15, periodSeconds: 20 },
        readinessProbe: { httpGet: { path: "/readyz", port: "health" }, initialDelaySeconds: 5, periodSeconds: 10 },
        resources: { limits: { cpu: "500m", memory: "256Mi" } },
        securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true },
      },
    ],
  });
});

test("a namespaced operator without leader election watches its own namespace, by WATCH_NAMESPACE", () => {
  const { spec } = parse(
    made({ namespaced: true, leaderElection: false, metrics: false }).get("manager/manager.yaml") ?? "",
  );
  expect(spec.template.spec.containers[0]).toMatchObject({
    args: ["--health-probe-bind-address=:8081"],
    env: [{ name: "WATCH_NAMESPACE", valueFrom: { fieldRef: { fieldPath: "metadata.namespace" } } }],
  });
});

test("with webhooks and cert-manager, the Deployment mounts the certificate", () => {
  const admitting = operator({ name: "pools", webhooks: [webhooks(Pool, { validate: () => {} })] });
  const { spec } = parse(made({ operators: [admitting], certManager: true }).get("manager/manager.yaml") ?? "");
  expect(spec.template.spec.volumes).toEqual([
    { name: "webhook-certs", secret: { secretName: "pools-webhook-server-cert" } },
  ]);
  expect(spec.template.spec.containers[0].ports).toContainEqual({
    name: "webhook",
    containerPort: 9443,
    protocol: "TCP",
  });
});

test("an operator that converts objects serves webhooks by a flag, whether it admits objects too or not", () => {
  const spec = z.object({ size: z.int32() });
  const Converted = defineResource({
    group: "example.com",
    kind: "Converted",
    hub: "v1",
    versions: { v1: { spec }, v1beta1: { spec } },
    convert: { v1beta1: { toHub: (object) => object, fromHub: (object) => object } },
  });
  const controllers = [controller(Converted, { reconcile: async () => {} })];
  for (const admitting of [[], [webhooks(Converted, { validate: () => {} })]]) {
    const converting = operator({ name: "converting", controllers, webhooks: admitting });
    const { spec } = parse(made({ operators: [converting] }).get("manager/manager.yaml") ?? "");
    expect(spec.template.spec.containers[0].args).toContain("--webhook-port=9443");
    expect(spec.template.spec.containers[0].ports).toContainEqual(expect.objectContaining({ containerPort: 9443 }));
  }
});

test("metrics are served with a Service and the roles to authorize scrapers; ServiceMonitor and NetworkPolicy are not applied by default", () => {
  const admitting = operator({ name: "pools", webhooks: [webhooks(Pool, { validate: () => {} })] });
  const files = made({ operators: [admitting] });
  const objectAt = (path: string) => parse(files.get(path) ?? "");
  const selector = { "app.kubernetes.io/name": "pools" };
  expect(objectAt("manager/metrics_service.yaml").spec).toMatchObject({ ports: [{ port: 8443 }], selector });
  expect(objectAt("rbac/metrics_auth_role_binding.yaml")).toMatchObject({
    roleRef: { kind: "ClusterRole", name: "pools-metrics-auth" },
    subjects: [{ kind: "ServiceAccount", name: "pools", namespace: "shop-system" }],
  });
  expect(objectAt("rbac/metrics_reader_role.yaml").rules).toEqual([{ nonResourceURLs: ["/metrics"], verbs: ["get"] }]);
  expect(objectAt("prometheus/monitor.yaml").spec.selector).toEqual({ matchLabels: selector });
  // Without the second rule, the policy would close the port of the webhooks.
  expect(
    objectAt("network-policy/allow-metrics-traffic.yaml").spec.ingress.map(
      ({ ports }: { ports: readonly { port: number }[] }) => ports[0]?.port,
    ),
  ).toEqual([8443, 9443]);
  expect([...made({ metrics: false }).keys()].filter((path) => /metrics|prometheus|network/.test(path))).toEqual([]);
});

test("the kustomizations list every manifest, and config/default applies all but samples, ServiceMonitor and NetworkPolicy", () => {
  const files = made();
  expect(parse(files.get("default/kustomization.yaml") ?? "").resources).toEqual(["../crd", "../manager", "../rbac"]);
  for (const path of files.keys()) {
    const [folder = "", ...rest] = path.split("/");
    if (path.endsWith("/kustomization.yaml")) continue;
    expect(parse(files.get(`${folder}/kustomization.yaml`) ?? "").resources).toContain(rest.join("/"));
  }
});

test("the installer is accepted by an API server from its first to its last object", async () => {
  await using cluster = await startCluster();
  const client = createClient(cluster.transport);
  const objects = parseAllDocuments(installerFile(generateManifests(options)).text).map((document) =>
    document.toJSON(),
  );
  expect(objects[0]).toMatchObject({ kind: "Namespace", metadata: { name: "shop-system" } });
  for (const { apiVersion, kind, metadata } of objects)
    expect(`${apiVersion} ${kind} ${metadata.name}`).not.toContain("undefined");
  const paths: Readonly<Record<string, string>> = {
    Namespace: "/api/v1/namespaces",
    CustomResourceDefinition: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
    ClusterRole: "/apis/rbac.authorization.k8s.io/v1/clusterroles",
    ClusterRoleBinding: "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
    Role: "/apis/rbac.authorization.k8s.io/v1/namespaces/shop-system/roles",
    RoleBinding: "/apis/rbac.authorization.k8s.io/v1/namespaces/shop-system/rolebindings",
    ServiceAccount: "/api/v1/namespaces/shop-system/serviceaccounts",
    Service: "/api/v1/namespaces/shop-system/services",
    Deployment: "/apis/apps/v1/namespaces/shop-system/deployments",
  };
  for (const body of objects) {
    const { status } = await client.request({
      method: "POST",
      path: paths[body.kind] ?? "",
      query: { fieldValidation: "Strict" },
      body,
    });
    expect(`${body.kind} ${status}`).toBe(`${body.kind} 201`);
  }
  expect((await client.get(Deployment, { namespace: "shop-system", name: "pools" })).spec?.replicas).toBe(1);
});
