import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startCluster } from "@kubewright/cluster";
import { importCRD } from "@kubewright/codegen";
import { systemClock } from "@kubewright/core/clock";
import { testCluster } from "@kubewright/testing";
import { controller, defineResource, operator, type VersionOptions, z } from "kubewright";
import { crdOf } from "kubewright/crd";
import { HttpsTransport } from "kubewright/transport";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCommand } from "../src/index.js";

/** A mistake, what makes it, and the message that its author reads. */
type Mistake = readonly [mistake: string, attempt: () => unknown, message: string];

const noWork = async (): Promise<void> => {};
const website = { group: "web.example.com", kind: "Website" } as const;
const spec = z.object({ image: z.string() });

/** The CRD of a resource whose spec has one field. */
function field(schema: z.ZodType): () => unknown {
  return () => versions({ v1: { spec: z.object({ field: schema }) } });
}

/** The CRD of a resource with these versions, of which the compiler knows nothing. */
function versions(given: object, more: object = {}): unknown {
  return crdOf(defineResource({ ...website, versions: given as Record<string, VersionOptions>, ...more }));
}

const Website = defineResource({ ...website, versions: { v1: { spec } } });

const definitions: readonly Mistake[] = [
  [
    "a misspelt option of a version",
    () => versions({ v1: { spec, printColumns: [] } }),
    'Cannot define resource "Website" of "web.example.com/*": version "v1" has the unknown option `printColumns`; did you mean `printerColumns`?',
  ],
  [
    "a misspelt option of a resource",
    () => versions({ v1: { spec } }, { shortName: ["ws"] }),
    'Cannot define resource "Website" of "web.example.com/*": it has the unknown option `shortName`; did you mean `shortNames`?',
  ],
  [
    "a group that is not a domain",
    () => versions({ v1: { spec } }, { group: "web" }),
    'Cannot define resource "Website" of "web/*": the group "web" is not a domain name with at least one dot, in lower case',
  ],
  [
    "a kind in lower case",
    () => versions({ v1: { spec } }, { kind: "website" }),
    'Cannot define resource "website" of "web.example.com/*": a kind must be CamelCase and start with a capital letter',
  ],
  [
    "a version that is a semantic version",
    () => versions({ "1.0.0": { spec } }),
    'Cannot define resource "Website" of "web.example.com/*": the version "1.0.0" is not of the form v1, v1beta1 or v1alpha1',
  ],
  [
    "a short name in upper case",
    () => versions({ v1: { spec } }, { shortNames: ["WS"] }),
    'Cannot define resource "Website" of "web.example.com/*": the name "WS" must consist of lower case letters, digits and dashes',
  ],
  ["no version", () => versions({}), 'Cannot define resource "Website" of "web.example.com/*": it has no version'],
  [
    "two versions without a hub",
    () => versions({ v1: { spec }, v2: { spec } }),
    'Cannot define resource "Website" of "web.example.com/*": `hub` must name one of its versions: v1, v2',
  ],
  [
    "two stored versions",
    () => versions({ v1: { storage: true }, v2: { storage: true } }, { hub: "v1" }),
    'Cannot define resource "Website" of "web.example.com/*": only one version can be stored, not v1 and v2',
  ],
  [
    "a conversion that is missing",
    () => versions({ v1: { spec }, v2: { spec } }, { hub: "v1", convert: {} }),
    'Cannot define resource "Website" of "web.example.com/*": `convert` has no `toHub` and `fromHub` for v2',
  ],
  [
    "a reason that is a sentence",
    () => versions({ v1: { conditions: { Ready: ["not ready yet"] } } }),
    'Cannot define resource "Website" of "web.example.com/*": version "v1" has the reason "not ready yet", which is not CamelCase',
  ],
  [
    "a printer column on a field that does not exist",
    () => versions({ v1: { spec, printerColumns: [{ name: "Image", type: "string", jsonPath: ".spec.imgae" }] } }),
    'Cannot make the CustomResourceDefinition of "Website" in version "v1": the printer column "Image" reads ".spec.imgae", but the schema has no field ".spec.imgae"; declare the field, or correct the path',
  ],
  [
    "a printer column on a condition's field that does not exist",
    () =>
      versions({
        v1: {
          conditions: { Ready: ["Available"] },
          printerColumns: [{ name: "Ready", type: "string", jsonPath: '.status.conditions[?(@.type=="Ready")].state' }],
        },
      }),
    'Cannot make the CustomResourceDefinition of "Website" in version "v1": the printer column "Ready" reads ".status.conditions[?(@.type=="Ready")].state", but the schema has no field ".status.conditions[].state"; declare the field, or correct the path',
  ],
  [
    "a printer column whose path does not parse",
    () => versions({ v1: { spec, printerColumns: [{ name: "Image", type: "string", jsonPath: ".spec[image" }] } }),
    'Cannot make the CustomResourceDefinition of "Website" in version "v1": the printer column "Image" reads ".spec[image", but that is no valid JSONPath: Cannot use JSONPath ".spec[image": unterminated array',
  ],
  [
    "a selectable field that does not exist",
    () => versions({ v1: { spec, selectableFields: [".spec.color"] } }),
    'Cannot make the CustomResourceDefinition of "Website" in version "v1": the selectable field reads ".spec.color", but the schema has no field ".spec.color"; declare the field, or correct the path',
  ],
  [
    "z.coerce",
    field(z.coerce.number()),
    'Cannot express z.coerce.number() at "spec.field" in a CustomResourceDefinition: a server stores values unchanged, without conversion: use z.number()',
  ],
  [
    "a default that differs each time",
    field(z.string().default(() => String(Math.random()))),
    'Cannot express a default() that returns a different value each time at "spec.field" in a CustomResourceDefinition: all objects get the same default: set it in the controller, or in a defaulting webhook',
  ],
  [
    "z.union of objects",
    field(z.union([z.object({ a: z.string() }), z.object({ b: z.string() })])),
    'Cannot express this z.union() at "spec.field" in a CustomResourceDefinition: a structural schema has unions of literals, int-or-string, and z.discriminatedUnion() of objects; otherwise use one object with optional fields and a CEL rule',
  ],
  [
    "z.union of types",
    field(z.union([z.string(), z.boolean()])),
    'Cannot express this z.union() at "spec.field" in a CustomResourceDefinition: a structural schema has unions of literals, int-or-string, and z.discriminatedUnion() of objects; otherwise use one object with optional fields and a CEL rule',
  ],
  [
    "z.lazy",
    field(z.lazy(() => z.string())),
    'Cannot express z.lazy() at "spec.field" in a CustomResourceDefinition: a structural schema is not recursive: use z.unknown() for the inner levels',
  ],
  [
    "z.tuple",
    field(z.tuple([z.string(), z.string()])),
    'Cannot express z.tuple() at "spec.field" in a CustomResourceDefinition: all items of a list have one schema: use z.object() with a field per item, or z.array(...).length(n)',
  ],
  [
    "z.null",
    field(z.null()),
    'Cannot express z.null() at "spec.field" in a CustomResourceDefinition: a field has a type and can be nullable: use .nullable() of that type, or leave the field out',
  ],
  [
    "a pipe",
    field(z.string().pipe(z.string().min(1))),
    'Cannot express pipe() and codecs at "spec.field" in a CustomResourceDefinition: a server validates the stored value only: use the schema of that value, without the pipe',
  ],
  [
    "a transform",
    field(z.string().transform((value) => value.length)),
    'Cannot express transform() at "spec.field" in a CustomResourceDefinition: a server stores values unchanged: transform in the controller, or default in a webhook',
  ],
  [
    "a preprocess",
    field(z.preprocess((value) => value, z.string())),
    'Cannot express transform() at "spec.field" in a CustomResourceDefinition: a server stores values unchanged: transform in the controller, or default in a webhook',
  ],
  [
    "a refine",
    field(z.string().refine((value) => value !== "latest")),
    'Cannot express refine() at "spec.field" in a CustomResourceDefinition: write it as a CEL rule in `rules`, or validate in a webhook',
  ],
  [
    "z.date",
    field(z.date()),
    'Cannot express z.date() at "spec.field" in a CustomResourceDefinition: use z.iso.datetime(): objects are plain JSON',
  ],
  [
    "z.bigint",
    field(z.bigint()),
    'Cannot express z.bigint() and z.int64() at "spec.field" in a CustomResourceDefinition: small integers are read as numbers: use k.int64()',
  ],
  [
    "z.map",
    field(z.map(z.string(), z.string())),
    'Cannot express z.map() at "spec.field" in a CustomResourceDefinition: objects are plain JSON: use z.record(z.string(), ...)',
  ],
  [
    "z.set",
    field(z.set(z.string())),
    'Cannot express z.set() at "spec.field" in a CustomResourceDefinition: objects are plain JSON: use z.array(...).meta({ "x-kubernetes-list-type": "set" })',
  ],
  [
    "z.strictObject",
    field(z.strictObject({ a: z.string() })),
    'Cannot express z.strictObject() at "spec.field" in a CustomResourceDefinition: use z.object(): a server prunes unknown fields, or rejects them with strict field validation',
  ],
  [
    "a trim",
    field(z.string().trim()),
    'Cannot express trim() and other overwrites at "spec.field" in a CustomResourceDefinition: a server stores strings unchanged: validate with .regex(), or change them in a webhook',
  ],
  [
    "a regular expression with flags",
    field(z.string().regex(/^a/i)),
    `Cannot express the flags "i" of /^a/i at "spec.field" in a CustomResourceDefinition: a CRD's pattern has no flags: express them in the pattern`,
  ],
  [
    "a record with rules for its keys",
    field(z.record(z.string().min(1), z.string())),
    'Cannot express z.record() with rules for its keys at "spec.field" in a CustomResourceDefinition: use z.record(z.string(), ...) and a CEL rule',
  ],
  [
    "an enum of mixed types",
    field(z.union([z.literal("a"), z.literal(1)])),
    'Cannot express an enum of mixed types at "spec.field" in a CustomResourceDefinition: use literals of one type',
  ],
  [
    "a catch",
    field(z.string().catch("a")),
    'Cannot express catch() at "spec.field" in a CustomResourceDefinition: a server rejects invalid values and does not replace them: use default()',
  ],
  [
    "a misspelt extension",
    field(z.array(z.string()).meta({ "x-kubernetes-list-typ": "set" })),
    'Cannot express "x-kubernetes-list-typ" at "spec.field" in a CustomResourceDefinition: Kubernetes has no such extension',
  ],
  [
    "the import of a v1beta1 CRD",
    () =>
      importCRD({
        apiVersion: "apiextensions.k8s.io/v1beta1",
        kind: "CustomResourceDefinition",
        metadata: { name: "issuers.certmanager.k8s.io" },
      }),
    'Cannot import CustomResourceDefinition "issuers.certmanager.k8s.io": it is of apiextensions.k8s.io/v1beta1, which Kubernetes 1.22 removed; take the v1 CRD of a newer release of its project',
  ],
  [
    "the import of something else",
    () => importCRD({ apiVersion: "v1", kind: "ConfigMap" }),
    'Cannot import CustomResourceDefinition "": it is not a CustomResourceDefinition of apiextensions.k8s.io/v1',
  ],
];

const parts: readonly Mistake[] = [
  [
    "an operator without controllers",
    () => operator({ name: "web" }),
    'Cannot make operator "web": it has neither a controller nor a webhook',
  ],
  [
    "an operator's name with a space",
    () => operator({ name: "Web operator", controllers: [site()] }),
    'Cannot make operator "Web operator": its name must consist of lower case letters, digits and dashes',
  ],
  [
    "two controllers of one name",
    () => operator({ name: "web", controllers: [site(), site()] }),
    'Cannot make operator "web": two controllers have the name "website"; give one another `name`',
  ],
  [
    "two definitions of one CRD",
    () => {
      const Copy = defineResource({ ...website, versions: { v1: { spec } } });
      return operator({ name: "web", controllers: [site(), controller(Copy, { name: "copy", reconcile: noWork })] });
    },
    'Cannot make operator "web": it has two definitions of the CustomResourceDefinition "websites.web.example.com"; define the resource once, and import that',
  ],
  [
    "a controller without workers",
    () => controller(Website, { workers: 0, reconcile: noWork }),
    'Cannot make controller "website": `workers` must be a whole number above zero',
  ],
  [
    "a timeout that is no duration",
    () => controller(Website, { timeout: "5 minutes" as "5m", reconcile: noWork }),
    'Cannot use "5 minutes" as "timeout": it must be a duration such as "30s" or "1m30s", and not negative',
  ],
];

function site() {
  return controller(Website, { reconcile: noWork });
}

const sites = operator({ name: "sites", controllers: [site()] });

/** Starts the operator on a server that responds in this way. */
async function startOn(respond: RequestListener, scheme = "http"): Promise<void> {
  const server = createServer(respond).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  try {
    await startAt(`${scheme}://127.0.0.1:${port}`);
  } finally {
    server.close();
  }
}

async function startAt(server: string): Promise<void> {
  const transport = new HttpsTransport(
    { server, credentials: { kind: "none" }, namespace: "default" },
    { clock: systemClock },
  );
  try {
    const running = await sites.start({ transport });
    await running.stop();
  } finally {
    await transport.close();
  }
}

async function startUntrusted(): Promise<void> {
  await using cluster = await startCluster();
  await startAt((await cluster.listen()).url);
}

function respondWith(status: number, body: unknown): RequestListener {
  return (_, response) => {
    const isText = typeof body === "string";
    response.writeHead(status, {
      "content-type": isText ? (body.startsWith("<") ? "text/html" : "text/plain") : "application/json",
    });
    response.end(isText ? body : JSON.stringify(body));
  };
}

function failure(code: number, reason: string): object {
  return { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", message: reason, reason, code };
}

async function startEmbedded(options: object): Promise<void> {
  await using cluster = await startCluster();
  const running = await sites.start({ transport: cluster.transport, ...options });
  await running.stop();
}

const starts: readonly Mistake[] = [
  [
    "a CRD that is not installed",
    () => startEmbedded({}),
    'Cannot start: the server does not serve Website of "web.example.com/v1"; apply the CustomResourceDefinition (kubewright install), or start with `installCRDs`',
  ],
  [
    "invalid credentials",
    () => startOn(respondWith(401, failure(401, "Unauthorized"))),
    "Cannot start: the server does not accept the credentials (401 Unauthorized); check the user of the kubeconfig's context, or log in again",
  ],
  [
    "a user that may not discover",
    () => startOn(respondWith(403, failure(403, "Forbidden"))),
    'Cannot start: the server forbids this user to discover API groups (403 Forbidden); bind the ClusterRole "system:discovery" to it',
  ],
  [
    "a server that is not Kubernetes",
    () => startOn(respondWith(200, { hello: "world" })),
    `Cannot start: the server is not a Kubernetes API server: it responded to GET "/apis/web.example.com/v1" with 200 and no API resources; check the server's address`,
  ],
  [
    "a server that is not Kubernetes and has no such page",
    () => startOn(respondWith(404, "not found")),
    `Cannot start: the server is not a Kubernetes API server: it responded to GET "/apis/web.example.com/v1" with 404 and no API resources; check the server's address`,
  ],
  [
    "a login page in front of the server",
    () => startOn(respondWith(200, "<html>Log in</html>")),
    `Cannot GET "/apis/web.example.com/v1" at http://127.0.0.1: the response (status 200) is HTML and not from an API server: "<html>Log in</html>"; check the server's address, and for a proxy or login page in between`,
  ],
  [
    "a proxy without an API server behind it",
    () => startOn(respondWith(503, "no upstream")),
    'Cannot start: the server responded to GET "/apis/web.example.com/v1" with 503; check whether the API server is up',
  ],
  [
    "a server whose CA is not trusted",
    startUntrusted,
    `Cannot GET "/apis/web.example.com/v1" at https://127.0.0.1: the server's certificate is signed by an unknown authority; set "certificate-authority-data" of the cluster to the CA that issued it (self-signed certificate in certificate chain SELF_SIGNED_CERT_IN_CHAIN)`,
  ],
  [
    "a server that speaks no TLS",
    () => startOn(respondWith(200, {}), "https"),
    'Cannot GET "/apis/web.example.com/v1" at https://127.0.0.1: the server does not speak TLS; check whether its address should start with "http:" (ERR_SSL_WRONG_VERSION_NUMBER)',
  ],
  [
    "a namespace with a space",
    () => startEmbedded({ namespace: "No Such" }),
    'Cannot start: `namespace` is "No Such", which is no name of a namespace: at most 63 lower case letters, digits and dashes, without a dash at either end',
  ],
  [
    "an empty namespace",
    () => startEmbedded({ namespace: "" }),
    'Cannot start: `namespace` is ""; leave it out to watch all namespaces',
  ],
  [
    "an empty list of namespaces",
    () => startEmbedded({ namespace: [] }),
    "Cannot start: `namespace` is an empty list; leave it out to watch all namespaces",
  ],
  [
    "both sharding and leader election",
    () => startEmbedded({ sharding: true, leaderElection: true }),
    'Cannot shard operator "sites": with `leaderElection` one replica does all of it; choose one of the two',
  ],
];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "kubewright-mistakes-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs a command that fails, and throws what it printed. */
async function command(...args: string[]): Promise<void> {
  let errors = "";
  await runCommand(args, { out: { write: () => true }, err: { write: (text) => (errors += text) } });
  throw new Error(errors.replaceAll(`${folder}/`, "").replaceAll(`${import.meta.dirname}/`, ""));
}

async function file(name: string, content: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

const commands: readonly Mistake[] = [
  [
    "a module that does not exist",
    () => command("generate", "nowhere.ts"),
    'error: Cannot load "nowhere.ts": no such file\n',
  ],
  [
    "a module that exports nothing to generate",
    async () => command("generate", await file("empty.mjs", "export const a = 1;\n")),
    'error: Cannot generate manifests: "empty.mjs" exports neither an operator nor a resource\n',
  ],
  [
    "a module that starts its operator when it is imported",
    () => command("generate", join(import.meta.dirname, "starts-at-import.ts")),
    'error: Cannot load "starts-at-import.ts": Cannot run operator "websites": its module is only loaded to generate files; export the operator, and call run() in another file, such as main.ts\n',
  ],
  [
    "an import of a file that does not exist",
    () => command("import", "nowhere.yaml"),
    'error: Cannot read "nowhere.yaml": no such file or directory\n',
  ],
  [
    "a command outside of a project",
    () => command("create", "api", "--kind", "Website", "--dir", "elsewhere"),
    'error: Cannot find the file PROJECT in "elsewhere": run this in the folder that `kubewright init` made\n',
  ],
  [
    "a cluster that does not run",
    () => command("cluster", "reset", "--name", "no-such-cluster"),
    'Cannot reset cluster "no-such-cluster": no cluster of that name is running; kubewright cluster status lists yours, kubewright cluster start starts one\n',
  ],
  [
    "a misspelt command",
    () => command("genrate", "a.ts"),
    "error: unknown command 'genrate'\n(Did you mean generate?)\n(use --help for the options)\n",
  ],
  [
    "a misspelt option",
    () => command("generate", "a.ts", "--chek"),
    "error: unknown option '--chek'\n(Did you mean --check?)\n(use --help for the options)\n",
  ],
];

describe.each([
  ["definition", definitions],
  ["parts of an operator", parts],
  ["start", starts],
  ["command", commands],
])("common mistakes and the message that each gets: %s", (_, mistakes) => {
  test.each(mistakes)("%s", async (_, attempt, message) => {
    const thrown = await Promise.resolve()
      .then(attempt)
      .then(
        () => "no error",
        (error: unknown) => (error as Error).message.replace(/127\.0\.0\.1:\d+/, "127.0.0.1"),
      );
    expect(thrown).toBe(message);
  });
});

test("a label patch during requeueAfter is the only cause of the next run", async () => {
  const causes: string[][] = [];
  const requeueing = operator({
    name: "requeueing",
    controllers: [
      controller(Website, {
        reconcile: async ({ causes: why, requeueAfter }) => {
          causes.push(why.map(({ source }) => source));
          return requeueAfter("1000h");
        },
      }),
    ],
  });
  await using cluster = await testCluster(requeueing);
  await cluster.create(Website, { metadata: { name: "shop" }, spec: { image: "shop:1" } });
  await cluster.settle();
  await cluster.patch(Website, "shop", { merge: { metadata: { labels: { team: "a" } } } });
  await cluster.settle();
  expect(causes).toEqual([["for"], ["for"]]);
});
