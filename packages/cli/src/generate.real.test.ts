import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { generateManifests } from "@kubewright/codegen";
import { type ControlPlane, startControlPlane } from "@kubewright/testing/control-plane";
import { defineResource, z } from "kubewright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCommand } from "./run-command.js";

const kubectl = process.env["KUBEWRIGHT_KUBECTL"] ?? "";
if (kubectl === "") throw new Error("Cannot test with kubectl: KUBEWRIGHT_KUBECTL must be the path of its binary");

let plane: ControlPlane;
let folder: string;
beforeAll(async () => {
  plane = await startControlPlane();
  folder = await mkdtemp(join(tmpdir(), "kubewright-generate-"));
}, 120_000);
afterAll(async () => {
  await plane?.stop();
  await rm(folder, { recursive: true, force: true });
});

const kubectlRun = async (...args: string[]): Promise<string> => {
  const env = { PATH: process.env["PATH"] ?? "", HOME: folder, KUBECONFIG: plane.kubeconfigFile(plane.admin) };
  return (await promisify(execFile)(kubectl, args, { env })).stdout;
};

test("kubectl apply accepts a CRD exactly when it has no remark about its size", async () => {
  const large = (words: number) => {
    const describe = (text: string) => z.string().optional().describe(text);
    const fields = Array.from({ length: 100 }, (_, index) => [`field${index}`, describe("<a> & b. ".repeat(words))]);
    const spec = z.object(Object.fromEntries(fields));
    return defineResource({ group: "example.com", kind: `Large${words}`, versions: { v1: { spec } } });
  };
  let accepted = 0;
  for (const words of [100, 105, 106, 107, 108, 109, 110]) {
    const [file] = generateManifests({ operators: [], resources: [large(words)] });
    const path = join(folder, `large${words}.yaml`);
    await writeFile(path, file?.text ?? "");
    const isApplied = await kubectlRun("apply", "-f", path).then(
      () => true,
      (error: Error) => {
        expect(error.message).toContain("metadata.annotations: Too long");
        return false;
      },
    );
    expect(isApplied, `${words} words`).toBe(file?.remarks.length === 0);
    if (isApplied) accepted++;
    else expect(await kubectlRun("apply", "--server-side", "-f", path)).toContain("serverside-applied");
  }
  expect(accepted).toBeGreaterThan(0);
  expect(accepted).toBeLessThan(7);
}, 120_000);

const silent = { write: () => true };
const generated = async (name: "foo" | "sample"): Promise<string> => {
  const operator = join(dirname(fileURLToPath(import.meta.url)), `../../../operators/${name}/src/index.ts`);
  const out = join(folder, name);
  expect(await runCommand(["generate", operator, "--out", out], { out: silent, err: silent })).toBe(0);
  return out;
};

test("a real API server accepts every generated file of an operator with webhooks", async () => {
  const out = await generated("foo");
  const applied = await kubectlRun(
    "apply",
    "-R",
    ...["crd", "rbac", "webhook"].flatMap((one) => ["-f", join(out, one)]),
  );
  expect(applied.trim().split("\n").sort()).toEqual([
    "clusterrole.rbac.authorization.k8s.io/foo-operator created",
    "clusterrole.rbac.authorization.k8s.io/foo-operator-webhook-certificates created",
    "clusterrole.rbac.authorization.k8s.io/foos.samplecontroller.k8s.io-admin created",
    "clusterrole.rbac.authorization.k8s.io/foos.samplecontroller.k8s.io-editor created",
    "clusterrole.rbac.authorization.k8s.io/foos.samplecontroller.k8s.io-viewer created",
    "clusterrolebinding.rbac.authorization.k8s.io/foo-operator created",
    "clusterrolebinding.rbac.authorization.k8s.io/foo-operator-webhook-certificates created",
    "customresourcedefinition.apiextensions.k8s.io/foos.samplecontroller.k8s.io created",
    "mutatingwebhookconfiguration.admissionregistration.k8s.io/foo-operator-mutating-webhook-configuration created",
    "role.rbac.authorization.k8s.io/foo-operator-leader-election created",
    "role.rbac.authorization.k8s.io/foo-operator-webhook-certificates created",
    "rolebinding.rbac.authorization.k8s.io/foo-operator-leader-election created",
    "rolebinding.rbac.authorization.k8s.io/foo-operator-webhook-certificates created",
    "service/foo-operator-webhook-service created",
    "serviceaccount/foo-operator created",
    "validatingwebhookconfiguration.admissionregistration.k8s.io/foo-operator-validating-webhook-configuration created",
  ]);
}, 120_000);

test("a real API server accepts a generated sample after its CRD", async () => {
  const out = await generated("sample");
  await kubectlRun("apply", "-f", join(out, "crd"));
  await kubectlRun("wait", "--for=condition=Established", "crd/samples.example.com");
  expect(await kubectlRun("apply", "-f", join(out, "samples"))).toMatch(/^sample\.example\.com\/\S+ created\n$/);
}, 120_000);
