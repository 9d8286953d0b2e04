import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type ControlPlane, startControlPlane } from "@kubewright/testing/control-plane";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCommand } from "./run-command.js";

const kubectl = process.env["KUBEWRIGHT_KUBECTL"] ?? "";
if (kubectl === "") throw new Error("Cannot test with kubectl: KUBEWRIGHT_KUBECTL must hold the path of its binary");

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

test("a real server takes every file that is generated for an operator, and the sample after its definition", async () => {
  const operator = join(dirname(fileURLToPath(import.meta.url)), "../../../operators/foo/src/index.ts");
  const silent = { write: () => true };
  expect(await runCommand(["generate", operator, "--out", folder], { out: silent, err: silent })).toBe(0);
  const apply = async (...args: string[]): Promise<string> => {
    const env = { PATH: process.env["PATH"] ?? "", HOME: folder, KUBECONFIG: plane.kubeconfigFile(plane.admin) };
    return (await promisify(execFile)(kubectl, args, { env })).stdout;
  };
  const applied = await apply("apply", "-R", "-f", join(folder, "crd"), "-f", join(folder, "rbac"));
  expect(applied.trim().split("\n").sort()).toEqual([
    "clusterrole.rbac.authorization.k8s.io/foo-operator created",
    "clusterrole.rbac.authorization.k8s.io/foos.samplecontroller.k8s.io-admin created",
    "clusterrole.rbac.authorization.k8s.io/foos.samplecontroller.k8s.io-editor created",
    "clusterrole.rbac.authorization.k8s.io/foos.samplecontroller.k8s.io-viewer created",
    "clusterrolebinding.rbac.authorization.k8s.io/foo-operator created",
    "customresourcedefinition.apiextensions.k8s.io/foos.samplecontroller.k8s.io created",
    "role.rbac.authorization.k8s.io/foo-operator-leader-election created",
    "rolebinding.rbac.authorization.k8s.io/foo-operator-leader-election created",
    "serviceaccount/foo-operator created",
  ]);
  await apply("wait", "--for=condition=Established", "crd/foos.samplecontroller.k8s.io");
  expect(await apply("apply", "-f", join(folder, "samples"))).toBe("foo.samplecontroller.k8s.io/foo-sample created\n");
}, 120_000);
