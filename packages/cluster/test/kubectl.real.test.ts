import { execFile, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type Cluster, startCluster } from "@kubewright/cluster";
import { afterEach, beforeEach, expect, test } from "vitest";

const kubectl = process.env["KUBEWRIGHT_KUBECTL"] ?? "";
if (kubectl === "") throw new Error("Cannot test with kubectl: KUBEWRIGHT_KUBECTL must hold the path of its binary");

let cluster: Cluster;
let folder: string;

beforeEach(async () => {
  cluster = await startCluster();
  folder = await mkdtemp(join(tmpdir(), "kubewright-kubectl-"));
  await writeFile(join(folder, "kubeconfig"), (await cluster.listen()).kubeconfig);
});

afterEach(async () => {
  await cluster.close();
  await rm(folder, { recursive: true });
});

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

function environment(more: Record<string, string> = {}): Record<string, string> {
  return { PATH: process.env["PATH"] ?? "", HOME: folder, KUBECONFIG: join(folder, "kubeconfig"), ...more };
}

function run(args: readonly string[], more: Record<string, string> = {}): Promise<Ran> {
  return new Promise((resolve) => {
    execFile(kubectl, args, { env: environment(more), cwd: folder }, (error, out, err) => {
      resolve({ code: error ? Number(error.code ?? 1) : 0, out, err });
    });
  });
}

/** The output of a successful command. */
async function prints(...args: string[]): Promise<string> {
  const { code, out, err } = await run(args);
  expect(`${code} ${err}`).toBe("0 ");
  return out;
}

async function file(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

const definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: samples.example.com
spec:
  group: example.com
  names: { kind: Sample, plural: samples, shortNames: [smp] }
  scope: Namespaced
  versions:
    - name: v1alpha1
      served: true
      storage: true
      additionalPrinterColumns: [{ name: Test String, jsonPath: .testString, type: string }]
      schema:
        openAPIV3Schema: { type: object, properties: { testString: { type: string } } }
`;
const resource = `
apiVersion: example.com/v1alpha1
kind: Sample
metadata: { name: sample-resource-1 }
testString: "first sample resource"
`;

test("a CRD and a custom resource are applied, listed with columns and printed as YAML", async () => {
  const resourceFile = await file("resource.yaml", resource);
  const early = await run(["apply", "-f", resourceFile]);
  expect(early.code).toBe(1);
  expect(early.err).toContain(
    'no matches for kind "Sample" in version "example.com/v1alpha1"\nensure CRDs are installed first',
  );
  expect(await prints("apply", "-f", await file("definition.yaml", definition))).toBe(
    "customresourcedefinition.apiextensions.k8s.io/samples.example.com created\n",
  );
  expect(await prints("apply", "-f", resourceFile)).toBe("sample.example.com/sample-resource-1 created\n");
  const rows = "NAME                TEST STRING\nsample-resource-1   first sample resource\n";
  expect(await prints("get", "samples")).toBe(rows);
  expect(await prints("get", "smp")).toBe(rows);
  const yaml = await prints("get", "sample", "sample-resource-1", "-o", "yaml");
  expect(yaml).toMatch(/kubectl.kubernetes.io\/last-applied-configuration: \|\n/);
  expect(yaml).toMatch(
    / {2}creationTimestamp: "[^"]+"\n {2}generation: 1\n {2}name: sample-resource-1\n {2}namespace: default\n {2}resourceVersion: "\d+"\n {2}uid: [0-9a-f-]+\ntestString: first sample resource\n$/,
  );
  expect(await prints("get", "crd")).toContain("samples.example.com");
  expect(await prints("explain", "samples")).toContain("testString\t<string>");
});

test("client-side and server-side apply update an applied object", async () => {
  await prints("apply", "-f", await file("definition.yaml", definition));
  const first = await file("resource.yaml", resource);
  const second = await file("second.yaml", resource.replace("first", "second"));
  await prints("apply", "-f", first);
  expect(await prints("apply", "-f", first)).toBe("sample.example.com/sample-resource-1 unchanged\n");
  expect(await prints("apply", "-f", second)).toBe("sample.example.com/sample-resource-1 configured\n");
  expect(await prints("get", "samples")).toContain("second sample resource");
  expect(await prints("apply", "--server-side", "-f", first)).toBe(
    "sample.example.com/sample-resource-1 serverside-applied\n",
  );
  expect(await prints("get", "samples", "-A", "--show-labels")).toContain(
    "default     sample-resource-1   first sample resource   <none>",
  );
});

test("apply rejects unknown fields and wrong types with the server's message", async () => {
  await prints("apply", "-f", await file("definition.yaml", definition));
  const unknown = await run(["apply", "-f", await file("unknown.yaml", `${resource}foo: 1\n`)]);
  expect(unknown.err).toContain('strict decoding error: unknown field "foo"');
  const wrong = await run(["apply", "-f", await file("wrong.yaml", resource.replace(/"first.*"/, "5"))]);
  expect(wrong.err).toContain(
    'testString: Invalid value: "integer": testString in body must be of type string: "integer"',
  );
});

test("edit, describe, label, patch and delete", async () => {
  await prints("apply", "-f", await file("definition.yaml", definition));
  await prints("apply", "-f", await file("resource.yaml", resource));
  const edited = await run(["edit", "sample", "sample-resource-1"], { EDITOR: "sed -i s/first/edited/" });
  expect(edited.out).toBe("sample.example.com/sample-resource-1 edited\n");
  expect(await prints("label", "sample", "sample-resource-1", "x=y")).toBe(
    "sample.example.com/sample-resource-1 labeled\n",
  );
  expect(await prints("get", "samples", "-l", "x in (y)")).toContain("edited sample resource");
  expect(await prints("describe", "sample", "sample-resource-1")).toMatch(
    /Labels: +x=y\n[\s\S]*Test String: +edited sample resource\nEvents: +<none>/,
  );
  await prints("patch", "sample", "sample-resource-1", "--type=merge", "-p", '{"testString":"patched"}');
  expect(await prints("get", "sample", "sample-resource-1", "-o", "jsonpath={.testString}")).toBe("patched");
  expect(await prints("delete", "sample", "sample-resource-1")).toBe(
    'sample.example.com "sample-resource-1" deleted from default namespace\n',
  );
  expect((await run(["get", "sample", "sample-resource-1"])).err).toBe(
    'Error from server (NotFound): samples.example.com "sample-resource-1" not found\n',
  );
  expect(await prints("delete", "crd", "samples.example.com")).toBe(
    'customresourcedefinition.apiextensions.k8s.io "samples.example.com" deleted\n',
  );
});

test("a Deployment is applied, strategically patched, scaled and described", async () => {
  const manifest = `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: "nginx:1", env: [{ name: A, value: b }] }] }
`;
  expect(await prints("apply", "-f", await file("web.yaml", manifest))).toBe("deployment.apps/web created\n");
  expect(await prints("apply", "-f", await file("web2.yaml", manifest.replace("value: b", "value: c")))).toBe(
    "deployment.apps/web configured\n",
  );
  expect(await prints("scale", "deploy", "web", "--replicas=3")).toBe("deployment.apps/web scaled\n");
  await prints("set", "image", "deploy/web", "web=nginx:2");
  expect(await prints("get", "deploy", "-o", "wide")).toMatch(/web +0\/3 +0 +0 +\w+ +web +nginx:2 +app=web\n/);
  expect(await prints("describe", "deploy", "web")).toMatch(/A: +c\n/);
  expect(await prints("explain", "deploy.spec.strategy")).toContain("rollingUpdate\t<RollingUpdateDeployment>");
});

test("get -w prints changes as they arrive", async () => {
  await prints("apply", "-f", await file("definition.yaml", definition));
  await prints("apply", "-f", await file("resource.yaml", resource));
  const watching = spawn(kubectl, ["get", "samples", "-w"], { env: environment(), cwd: folder });
  const lines = createInterface({ input: watching.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<string> => String((await lines.next()).value);
  expect(await next()).toBe("NAME                TEST STRING");
  expect(await next()).toBe("sample-resource-1   first sample resource");
  await cluster.transport.send({
    method: "PATCH",
    path: "/apis/example.com/v1alpha1/namespaces/default/samples/sample-resource-1",
    headers: { "content-type": "application/merge-patch+json" },
    body: { testString: "changed" },
  });
  expect(await next()).toBe("sample-resource-1   changed");
  watching.kill();
  await new Promise((resolve) => watching.on("close", resolve));
});

test("explain shows built-in kinds", async () => {
  for (const [name, field] of [
    ["configmaps", "binaryData\t<map[string]string>"],
    ["namespaces.status", "phase\t<string>"],
    ["crds.spec.names", "plural\t<string> -required-"],
    ["deployments.spec", "template\t<PodTemplateSpec> -required-"],
  ] as const)
    expect(await prints("explain", name)).toContain(field);
});
