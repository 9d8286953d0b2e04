import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startCluster } from "@kubewright/cluster";
import { controller, createClient, defineResource, k, operator, webhooks, z } from "kubewright";
import { Deployment } from "kubewright/k8s/apps/v1";
import { afterEach, expect, test } from "vitest";
import { parse } from "yaml";
import { generateManifests, writeManifests } from "./index.js";

const Pool = defineResource({
  group: "example.com",
  kind: "Pool",
  versions: {
    v1: {
      spec: z.object({
        size: z.int32().min(2).default(3).describe("How many. And some more words."),
        ratio: z.number().gt(0).lt(1),
        color: z.enum(["red", "blue"]),
        name: z.string().min(5),
        port: k.intOrString(),
        tags: k.setList(z.string()).min(1),
        store: z.discriminatedUnion("type", [
          z.object({ type: z.literal("Disk"), path: z.string() }),
          z.object({ type: z.literal("S3"), bucket: z.string() }),
        ]),
        note: z.string().optional(),
      }),
      status: z.object({ size: z.int32() }),
    },
  },
});
const pools = operator({
  name: "pools",
  controllers: [controller(Pool, { owns: [Deployment], reconcile: async () => {} })],
});
const files = generateManifests({ operators: [pools], namespace: "shop" });
const read = (path: string) => {
  const file = files.find((one) => one.path === path);
  if (file === undefined) throw new Error(`There is no ${path} among ${files.map((one) => one.path).join(", ")}`);
  return parse(file.text);
};

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});
async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "kubewright-codegen-"));
  folders.push(folder);
  return folder;
}

test("an operator has CRDs, its RBAC manifests, roles for users, and samples", () => {
  expect(files.map(({ path }) => path)).toEqual([
    "crd/example.com_pools.yaml",
    "rbac/leader_election_role.yaml",
    "rbac/leader_election_role_binding.yaml",
    "rbac/role.yaml",
    "rbac/role_binding.yaml",
    "rbac/service_account.yaml",
    "rbac/users/pool_admin_role.yaml",
    "rbac/users/pool_editor_role.yaml",
    "rbac/users/pool_viewer_role.yaml",
    "samples/example.com_v1_pool.yaml",
  ]);
  expect(files.map(({ text }) => text)).toEqual(
    generateManifests({ operators: [pools], namespace: "shop" }).map(({ text }) => text),
  );
});

test("a CEL rule that a server would reject is an error with its place and column", () => {
  const Bad = defineResource({
    group: "example.com",
    kind: "Bad",
    versions: { v1: { spec: z.object({ size: k.rules(z.int32(), { rule: "self.height > 1" }) }) } },
  });
  const bad = operator({ name: "bad", controllers: [controller(Bad, { reconcile: () => {} })] });
  expect(() => generateManifests({ operators: [bad] })).toThrow(
    /Cannot use the CRD of Bad: .*\n- v1\.schema\.properties\[spec\]\.properties\[size\]\.x-kubernetes-validations\[0\]\.rule: .* ERROR: <input>:1:5: type 'int' does not support field selection\n(.*\n)+ {2}where self is int$/,
  );
});

test("the ClusterRole has the rules of the controllers, and is bound to the operator's ServiceAccount", () => {
  expect(read("rbac/role.yaml")).toEqual({
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRole",
    metadata: { name: "pools" },
    rules: pools.rules(),
  });
  expect(read("rbac/role_binding.yaml")).toMatchObject({
    kind: "ClusterRoleBinding",
    roleRef: { kind: "ClusterRole", name: "pools" },
    subjects: [{ kind: "ServiceAccount", name: "pools", namespace: "shop" }],
  });
  expect(read("rbac/leader_election_role.yaml")).toMatchObject({
    kind: "Role",
    metadata: { name: "pools-leader-election", namespace: "shop" },
  });
});

test("a namespaced operator gets a Role", () => {
  const own = generateManifests({ operators: [pools], namespaced: true, namespace: "shop", leaderElection: false });
  const role = parse(own.find(({ path }) => path === "rbac/role.yaml")?.text ?? "");
  expect(role).toMatchObject({ kind: "Role", metadata: { name: "pools", namespace: "shop" } });
  expect(own.some(({ path }) => path.includes("leader_election"))).toBe(false);
});

test("an API server accepts CRDs and samples, and samples contain required fields and defaults", async () => {
  await using cluster = await startCluster();
  const client = createClient(cluster.transport);
  const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  await client.request({ method: "POST", path, body: read("crd/example.com_pools.yaml") });
  const sample = read("samples/example.com_v1_pool.yaml");
  expect(sample.spec).toEqual({
    size: 3,
    ratio: 0.5,
    color: "red",
    name: "texttext",
    port: 1,
    tags: ["text"],
    store: { type: "Disk", path: "text" },
  });
  const stored = await client.create(Pool, sample, { fieldValidation: "Strict" });
  expect(stored.spec.size).toBe(3);
});

test("descriptions are truncated at the end of a sentence, or omitted", () => {
  const text = (maxDescriptionLength: number) =>
    generateManifests({ operators: [pools], maxDescriptionLength })[0]?.text ?? "";
  expect(text(20)).toContain("description: How many.\n");
  expect(text(0)).not.toContain("description:");
});

test("writing twice changes nothing; a check reports drift; files that are no longer generated are removed", async () => {
  const folder = await emptyFolder();
  expect((await writeManifests(folder, files)).drifted).toHaveLength(files.length);
  expect(await writeManifests(folder, files)).toEqual({
    drifted: [],
    stale: [],
    unchanged: files.map(({ path }) => path),
  });
  const fewer = files.slice(1);
  await writeFile(join(folder, "rbac/role.yaml"), "# Generated by kubewright: edited\n");
  await writeFile(join(folder, "rbac/own.yaml"), "# mine\n");
  const report = { drifted: ["rbac/role.yaml"], stale: ["crd/example.com_pools.yaml"] };
  expect(await writeManifests(folder, fewer, { check: true })).toMatchObject(report);
  expect(await readFile(join(folder, "rbac/role.yaml"), "utf8")).toContain("edited");
  expect(await writeManifests(folder, fewer)).toMatchObject(report);
  expect(await writeManifests(folder, fewer, { check: true })).toMatchObject({ drifted: [], stale: [] });
  expect(await readFile(join(folder, "rbac/own.yaml"), "utf8")).toBe("# mine\n");
});

test("manifests that were checked out with CRLF are up to date", async () => {
  const folder = await emptyFolder();
  await writeManifests(folder, files);
  for (const { path, text } of files) await writeFile(join(folder, path), text.replaceAll("\n", "\r\n"));
  expect(await writeManifests(folder, files, { check: true })).toMatchObject({ drifted: [], stale: [] });
  const edited = `${files[0]?.text}# edited\n`.replaceAll("\n", "\r\n");
  await writeFile(join(folder, files[0]?.path ?? ""), edited);
  expect((await writeManifests(folder, files, { check: true })).drifted).toEqual([files[0]?.path]);
});

test("a file that was not generated is not overwritten, and nothing else is written", async () => {
  const folder = await emptyFolder();
  await mkdir(join(folder, "rbac"));
  await writeFile(join(folder, "rbac/role.yaml"), "kind: Role\n");
  await expect(writeManifests(folder, files)).rejects.toThrow(
    'Cannot write "rbac/role.yaml": a file of that name exists and was not generated; move it',
  );
  expect((await writeManifests(folder, [], { check: true })).stale).toEqual([]);
});

const spec = z.object({});
const Converted = defineResource({
  group: "example.com",
  kind: "Shelf",
  plural: "shelves",
  scope: "Cluster",
  hub: "v2",
  versions: { v1: { spec }, v2: { spec } },
  convert: { v1: { toHub: () => ({ spec: {} }), fromHub: () => ({ spec: {} }) } },
});
const shelves = operator({
  name: "shelves",
  controllers: [controller(Converted, { owns: [Deployment], reconcile: async () => {} })],
});

test("an operator with conversion functions has a Service, which its CRD references, and a cert-manager Certificate", () => {
  const made = new Map(
    generateManifests({ operators: [shelves], namespace: "shop", certManager: true }).map(({ path, text }) => [
      path,
      parse(text),
    ]),
  );
  expect([...made.keys()].filter((path) => path.startsWith("webhook/"))).toEqual([
    "webhook/certificate.yaml",
    "webhook/issuer.yaml",
    "webhook/service.yaml",
  ]);
  const { metadata, spec } = made.get("crd/example.com_shelves.yaml");
  const { service } = spec.conversion.webhook.clientConfig;
  expect(service).toEqual({ namespace: "shop", name: "shelves-webhook-service", path: "/convert" });
  expect(made.get("webhook/service.yaml")).toMatchObject({
    metadata: { name: service.name, namespace: "shop" },
  });
  // A pod that is being deleted must get no more reviews.
  expect(made.get("webhook/service.yaml").spec).not.toHaveProperty("publishNotReadyAddresses");
  expect(metadata.annotations).toEqual({ "cert-manager.io/inject-ca-from": "shop/shelves-serving-cert" });
  expect(made.get("webhook/certificate.yaml")).toMatchObject({
    metadata: { name: "shelves-serving-cert", namespace: "shop" },
    spec: { dnsNames: ["shelves-webhook-service.shop.svc", "shelves-webhook-service.shop.svc.cluster.local"] },
  });
  expect(files.some(({ path }) => path.startsWith("webhook/"))).toBe(false);
});

test("webhooks outside the cluster are referenced by URL, without a Service", () => {
  const made = generateManifests({ operators: [shelves], webhookUrl: "https://hooks.example.com/", certManager: true });
  expect(made.filter(({ path }) => path.startsWith("webhook/"))).toEqual([]);
  const { metadata, spec } = parse(made.find(({ path }) => path.startsWith("crd/"))?.text ?? "");
  expect(spec.conversion.webhook.clientConfig).toEqual({ url: "https://hooks.example.com/convert" });
  expect(metadata).not.toHaveProperty("annotations");
});

const admitting = operator({
  name: "shelves",
  controllers: [controller(Converted, { reconcile: async () => {} })],
  webhooks: [
    webhooks(Converted, {
      uses: [Deployment],
      failurePolicy: "Ignore",
      matchPolicy: "Exact",
      sideEffects: "NoneOnDryRun",
      timeout: "5s",
      reinvocationPolicy: "IfNeeded",
      namespaceSelector: { matchLabels: { shop: "yes" } },
      objectSelector: { matchExpressions: [{ key: "skip", operator: "DoesNotExist" }] },
      matchConditions: [{ name: "people", expression: "!request.userInfo.username.startsWith('system:')" }],
      default: () => {},
      validate: () => {},
      validateDelete: () => {},
    }),
    webhooks(Converted, { subresource: "status", operations: ["update"], validate: () => {} }),
  ],
});
const webhookFiles = (options: Partial<Parameters<typeof generateManifests>[0]> = {}) =>
  new Map(
    generateManifests({ operators: [admitting], namespace: "shop", ...options })
      .filter(({ path }) => path.startsWith("webhook/"))
      .map(({ path, text }) => [path, parse(text)]),
  );

test("webhook configurations have all that was declared", () => {
  const made = webhookFiles();
  expect([...made.keys()]).toEqual([
    "webhook/mutating_webhook_configuration.yaml",
    "webhook/service.yaml",
    "webhook/validating_webhook_configuration.yaml",
  ]);
  const policies = {
    failurePolicy: "Ignore",
    matchPolicy: "Exact",
    sideEffects: "NoneOnDryRun",
    timeoutSeconds: 5,
    namespaceSelector: { matchLabels: { shop: "yes" } },
    objectSelector: { matchExpressions: [{ key: "skip", operator: "DoesNotExist" }] },
    matchConditions: [{ name: "people", expression: "!request.userInfo.username.startsWith('system:')" }],
  };
  const service = (path: string) => ({
    service: { namespace: "shop", name: "shelves-webhook-service", path },
  });
  const rule = (operations: string[], resource = "shelves") => [
    { operations, apiGroups: ["example.com"], apiVersions: ["v2"], resources: [resource] },
  ];
  expect(made.get("webhook/mutating_webhook_configuration.yaml")).toEqual({
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "MutatingWebhookConfiguration",
    metadata: { name: "shelves-mutating-webhook-configuration" },
    webhooks: [
      {
        name: "mutate.shelves.v2.example.com",
        admissionReviewVersions: ["v1"],
        clientConfig: service("/mutate-example-com-v2-shelf"),
        rules: rule(["CREATE", "UPDATE"]),
        ...policies,
        reinvocationPolicy: "IfNeeded",
      },
    ],
  });
  expect(made.get("webhook/validating_webhook_configuration.yaml")).toMatchObject({
    metadata: { name: "shelves-validating-webhook-configuration" },
    webhooks: [
      {
        name: "validate.shelves.v2.example.com",
        clientConfig: service("/validate-example-com-v2-shelf"),
        rules: rule(["CREATE", "UPDATE", "DELETE"]),
        ...policies,
      },
      {
        name: "validate.shelves-status.v2.example.com",
        clientConfig: service("/validate-example-com-v2-shelf-status"),
        rules: rule(["UPDATE"], "shelves/status"),
        failurePolicy: "Fail",
        timeoutSeconds: 10,
      },
    ],
  });
});

test("webhook configurations reference a URL, or let cert-manager inject the CA; the role has what webhooks read", () => {
  const local = webhookFiles({ webhookUrl: "https://hooks.example.com/" });
  expect(local.has("webhook/service.yaml")).toBe(false);
  expect(local.get("webhook/mutating_webhook_configuration.yaml").webhooks[0].clientConfig).toEqual({
    url: "https://hooks.example.com/mutate-example-com-v2-shelf",
  });
  const injected = webhookFiles({ certManager: true }).get("webhook/validating_webhook_configuration.yaml");
  expect(injected.metadata.annotations).toEqual({ "cert-manager.io/inject-ca-from": "shop/shelves-serving-cert" });
  expect(admitting.rules()).toContainEqual({
    apiGroups: ["apps"],
    resources: ["deployments"],
    verbs: ["get", "list", "watch"],
  });
});

test("without cert-manager, the operator may write its certificate's Secret and the caBundles of its own objects", () => {
  const made = (options: Partial<Parameters<typeof generateManifests>[0]>) =>
    new Map(
      generateManifests({ operators: [admitting], namespace: "shop", ...options }).map(({ path, text }) => [
        path,
        parse(text),
      ]),
    );
  const issued = made({});
  const secrets = issued.get("rbac/webhook_certificates_role.yaml").rules[1];
  expect(secrets).toMatchObject({ resources: ["secrets"], resourceNames: ["shelves-webhook-certificates"] });
  const { rules } = issued.get("rbac/webhook_certificates_cluster_role.yaml");
  expect(rules.map(({ resourceNames }: { resourceNames: string[] }) => resourceNames)).toEqual([
    ["shelves-mutating-webhook-configuration"],
    ["shelves-validating-webhook-configuration"],
    ["shelves.example.com"],
  ]);
  expect(issued.get("rbac/webhook_certificates_role_binding.yaml").subjects).toEqual([
    { kind: "ServiceAccount", name: "shelves", namespace: "shop" },
  ]);
  for (const options of [{ certManager: true }, { webhookUrl: "https://hooks.example.com" }])
    expect([...made(options).keys()].filter((path) => path.includes("certificates"))).toEqual([]);
});

test("a changed webhook is reported as drift", async () => {
  const folder = await emptyFolder();
  await writeManifests(folder, generateManifests({ operators: [admitting] }));
  const changed = operator({ name: "shelves", webhooks: [webhooks(Converted, { default: () => {} })] });
  const report = await writeManifests(folder, generateManifests({ operators: [changed] }), { check: true });
  expect(report.drifted).toContain("webhook/mutating_webhook_configuration.yaml");
  expect(report.stale).toContain("webhook/validating_webhook_configuration.yaml");
});

test("a namespaced operator gets an additional ClusterRole for cluster-scoped resources", () => {
  const options = { namespace: "shop", namespaced: true, installCRDs: true };
  const made = new Map(
    generateManifests({ operators: [shelves], ...options }).map(({ path, text }) => [path, parse(text)]),
  );
  const resources = (path: string) =>
    made.get(path).rules.flatMap((rule: { readonly resources: readonly string[] }) => rule.resources);
  expect(made.get("rbac/role.yaml")).toMatchObject({ kind: "Role", metadata: { name: "shelves", namespace: "shop" } });
  expect(resources("rbac/role.yaml")).toEqual(["deployments", "events"]);
  expect(resources("rbac/cluster_role.yaml")).toEqual(["customresourcedefinitions", "shelves", "shelves/finalizers"]);
  expect(made.get("rbac/cluster_role_binding.yaml")).toMatchObject({
    kind: "ClusterRoleBinding",
    subjects: [{ kind: "ServiceAccount", name: "shelves", namespace: "shop" }],
  });
});

test("rules of an operator keep their resourceNames, in a Role and in a ClusterRole", () => {
  const rule = { apiGroups: [""], resources: ["secrets"], verbs: ["get"], resourceNames: ["token"] };
  const ruled = operator({ name: "ruled", controllers: [controller(Pool, { reconcile: () => {} })], rules: [rule] });
  for (const namespaced of [false, true]) {
    const made = generateManifests({ operators: [ruled], namespace: "shop", namespaced });
    const role = parse(made.find(({ path }) => path === "rbac/role.yaml")?.text ?? "");
    expect(role.rules).toContainEqual(rule);
  }
});

test("with `fit`, descriptions are truncated only where the CRD is too large for kubectl apply", () => {
  const sentence = "It is <b>large</b> & long. ";
  const fields = Object.fromEntries(
    Array.from({ length: 300 }, (_, index) => [`field${index}`, z.string().optional().describe(sentence.repeat(40))]),
  );
  const Large = defineResource({ group: "example.com", kind: "Large", versions: { v1: { spec: z.object(fields) } } });
  const [whole] = generateManifests({ operators: [], resources: [Large] });
  expect(whole?.remarks).toEqual(["Too large for kubectl apply: use kubectl apply --server-side."]);
  const [fitting] = generateManifests({ operators: [], resources: [Large], maxDescriptionLength: "fit" });
  expect(fitting?.remarks).toEqual([]);
  expect(fitting?.text).toContain(sentence.repeat(3).trim());
  expect(fitting?.text.length).toBeLessThan(whole?.text.length ?? 0);
  expect(generateManifests({ operators: [], resources: [Pool], maxDescriptionLength: "fit" })[0]?.text).toBe(
    generateManifests({ operators: [], resources: [Pool] })[0]?.text,
  );
});

test("a kind of another project has no CRD, samples and user roles, but the operator's Role includes it", () => {
  const Certificate = defineResource({
    group: "cert-manager.io",
    kind: "Certificate",
    external: true,
    versions: { v1: { spec: z.object({ secretName: z.string() }) } },
  });
  const issuing = operator({
    name: "issuing",
    controllers: [controller(Pool, { owns: [Certificate], reconcile: async () => {} })],
  });
  const generated = generateManifests({ operators: [issuing], resources: [Certificate], installCRDs: true });
  expect(generated.filter(({ path }) => path.includes("certificate"))).toEqual([]);
  expect(generated.find(({ path }) => path === "rbac/role.yaml")?.text).toContain("cert-manager.io");
});
