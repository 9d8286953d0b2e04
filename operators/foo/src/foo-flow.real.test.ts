/** The webhooks of the Foo operator, run as a process that an API server calls by URL: with kubectl, on a real and on an embedded API server. */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { testCluster } from "@kubewright/testing";
import { startControlPlane } from "@kubewright/testing/control-plane";
import { connect, crdOf, defineResource, waitFor, z } from "kubewright";
import { CustomResourceDefinition } from "kubewright/k8s/apiextensions/v1";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Foo, fooOperator } from "./index.js";

const kubectl = process.env["KUBEWRIGHT_KUBECTL"] ?? "";
if (kubectl === "") throw new Error("Cannot test with kubectl: KUBEWRIGHT_KUBECTL must be the path of its binary");

/** The Foo of the previous release: one version. */
const OldFoo = defineResource({
  group: "samplecontroller.k8s.io",
  kind: "Foo",
  versions: {
    v1alpha1: { spec: z.object({ deploymentName: z.string(), replicas: z.int32().min(1).max(10).optional() }) },
  },
});

interface Server extends AsyncDisposable {
  readonly kubeconfig: string;
}

async function startServer(on: "embedded" | "real"): Promise<Server> {
  if (on === "real") {
    const plane = await startControlPlane();
    return { kubeconfig: plane.kubeconfigFile(plane.admin), [Symbol.asyncDispose]: () => plane.stop() };
  }
  const cluster = await testCluster([], { on });
  const { kubeconfig } = await cluster.listen();
  return { kubeconfig, [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose]() };
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "kubewright-foo-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** What kubectl prints, also when it fails. */
async function run(kubeconfig: string, ...args: string[]): Promise<string> {
  const env = { PATH: process.env["PATH"] ?? "", HOME: folder, KUBECONFIG: kubeconfig };
  const { stdout, stderr } = await promisify(execFile)(kubectl, args, { env }).catch(
    (error: { stdout: string; stderr: string }) => error,
  );
  return stdout + stderr;
}

async function applied(kubeconfig: string, name: string, version: string, spec: object): Promise<string> {
  const file = join(folder, `${name}.json`);
  const apiVersion = `samplecontroller.k8s.io/${version}`;
  await writeFile(file, JSON.stringify({ apiVersion, kind: "Foo", metadata: { name }, spec }));
  return run(kubeconfig, "apply", "-f", file);
}

test.each(["real", "embedded"] as const)(
  "Foos are defaulted, validated, converted and migrated, as kubectl shows, on the %s server",
  async (on) => {
    await using server = await startServer(on);
    const { kubeconfig } = server;
    await using client = await connect({ kubeconfig });
    await client.apply(CustomResourceDefinition, crdOf(OldFoo), { fieldManager: "foo-operator" });
    await waitFor(client, CustomResourceDefinition, "foos.samplecontroller.k8s.io", {
      timeout: "30s",
      until: (crd) =>
        crd?.status?.conditions?.some(({ type, status }) => type === "Established" && status === "True") === true,
    });
    await expect
      .poll(() => applied(kubeconfig, "old", "v1alpha1", { deploymentName: "old-web" }), { timeout: 20_000 })
      .toBe("foo.samplecontroller.k8s.io/old created\n");

    const stop = new AbortController();
    const port = await freePort();
    const running = fooOperator.run({
      kubeconfig,
      webhookUrl: `https://127.0.0.1:${port}`,
      webhookAddress: `127.0.0.1:${port}`,
      installCRDs: { migrateStored: true },
      logLevel: "error",
      signal: stop.signal,
    });
    try {
      const warning = "Warning: spec.replicas is 1: the Deployment has no redundancy\n";
      await Promise.race([
        expect
          .poll(() => run(kubeconfig, "get", "validatingwebhookconfigurations", "-o", "name"), { timeout: 60_000 })
          .toContain("foo-operator-validating-webhook-configuration"),
        running,
      ]);
      await expect
        .poll(() => applied(kubeconfig, "probe", "v1alpha1", { deploymentName: "UPPER" }), { timeout: 20_000 })
        .toContain("is invalid");
      expect(await applied(kubeconfig, "shop", "v1alpha1", { deploymentName: "web" })).toBe(
        `foo.samplecontroller.k8s.io/shop created\n${warning}`,
      );
      expect(await applied(kubeconfig, "beta", "v1beta1", { deployment: { name: "beta-web" } })).toBe(
        `foo.samplecontroller.k8s.io/beta created\n${warning}`,
      );
      expect(
        await run(kubeconfig, "get", "foos.v1beta1.samplecontroller.k8s.io", "shop", "-o", "jsonpath={.spec}"),
      ).toBe('{"deployment":{"name":"web"},"replicas":1}');
      expect(await applied(kubeconfig, "bad", "v1alpha1", { deploymentName: "Not a name", replicas: 2 })).toBe(
        'The Foo "bad" is invalid: spec.deploymentName: Invalid value: "Not a name": must consist of lower case letters, digits, dashes and dots\n',
      );
      expect(await applied(kubeconfig, "shop", "v1alpha1", { deploymentName: "other", replicas: 2 })).toContain(
        'must not change: Deployment "web" would be left behind',
      );
      const { status } = await client.get(CustomResourceDefinition, "foos.samplecontroller.k8s.io");
      expect(status?.storedVersions).toEqual(["v1beta1"]);
      expect((await client.get(Foo.v1beta1, "old")).spec).toEqual({ deployment: { name: "old-web" } });
      await expect
        .poll(() => run(kubeconfig, "get", "deployments", "-o", "name"), { timeout: 20_000 })
        .toBe("deployment.apps/beta-web\ndeployment.apps/old-web\ndeployment.apps/web\n");
    } finally {
      stop.abort();
      await running;
    }
    expect(await run(kubeconfig, "get", "validatingwebhookconfigurations,mutatingwebhookconfigurations")).toBe(
      "No resources found\n",
    );
  },
  180_000,
);
