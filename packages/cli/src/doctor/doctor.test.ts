import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startCluster } from "@kubewright/cluster";
import { createClient } from "kubewright";
import { MutatingWebhookConfiguration } from "kubewright/k8s/admissionregistration/v1";
import { Lease } from "kubewright/k8s/coordination/v1";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runCommand } from "../run-command.js";

const source = `
import { controller, defineResource, operator, webhooks, z } from "kubewright";

const Site = defineResource({ group: "doctor.example.com", kind: "Site", versions: { v1: { spec: z.object({ host: z.string() }) } } });
export const sites = operator({
  name: "sites",
  controllers: [controller(Site, { reconcile: () => {} })],
  webhooks: [webhooks(Site, { default: ({ object }) => void object })],
});
`;

let folder: string;
beforeEach(async () => {
  const scratch = join(import.meta.dirname, "..", "..", ".kubewright");
  await mkdir(scratch, { recursive: true });
  folder = await mkdtemp(join(scratch, "doctor-"));
  await writeFile(join(folder, "operator.ts"), source);
});
afterEach(() => rm(folder, { recursive: true }));

async function run(command: string, kubeconfig: string, ...flags: string[]) {
  await writeFile(join(folder, "kubeconfig"), kubeconfig);
  let [out, err] = ["", ""];
  const args = [command, join(folder, "operator.ts"), "--kubeconfig", join(folder, "kubeconfig"), ...flags];
  const streams = { out: { write: (text: string) => (out += text) }, err: { write: (text: string) => (err += text) } };
  return { code: await runCommand(args, streams), out, err };
}

test("doctor names several copies of a package, a webhook that no server trusts, and a leader that is gone, each with its remedy", async () => {
  const entry = { version: "4.3.0" };
  const packages = {
    "node_modules/zod": entry,
    "node_modules/a/node_modules/zod": entry,
    "node_modules/kubewright": entry,
  };
  await writeFile(join(folder, "package-lock.json"), JSON.stringify({ packages }));
  await using cluster = await startCluster({ workloads: true });
  const { kubeconfig } = await cluster.listen();
  expect(await run("deploy", kubeconfig, "--image", "registry.example.com/sites:1", "--no-wait")).toMatchObject({
    code: 0,
  });
  const client = createClient(cluster.transport);
  const key = { namespace: "sites-system", name: "sites" };
  const renewTime = new Date(Date.now() - 60_000).toISOString().replace("Z", "000Z");
  await client.create(Lease, {
    metadata: key,
    spec: { holderIdentity: "sites-1", renewTime, leaseDurationSeconds: 15 },
  });

  const { out } = await run("doctor", kubeconfig);
  expect(out).toContain("! packages: several copies of zod (4.3.0, 4.3.0)\n    fix: npm dedupe, or npm update\n");
  expect(out).toContain("✔ operator: sites, with 1 controller\n");
  expect(out).toMatch(
    /! webhooks: Mutating.* has no caBundle: the operator writes it, and no container runs on simulated nodes\n {4}fix: kubewright dev/,
  );
  expect(out).toMatch(
    /✘ leader election: sites-1 leads and has not renewed its Lease for \d+ s\n {4}fix: no replica runs/,
  );
  await client.delete(MutatingWebhookConfiguration, "sites-mutating-webhook-configuration");
  const { code, out: json } = await run("doctor", kubeconfig, "-o", "json");
  const { failed, checks } = JSON.parse(json);
  expect(code).toBe(1);
  expect(failed).toBeGreaterThanOrEqual(2);
  expect(checks).toContainEqual({
    name: "webhooks",
    status: "failed",
    detail: 'MutatingWebhookConfiguration "sites-mutating-webhook-configuration" is missing: webhooks are not called',
    remedy: "kubewright deploy again",
  });
}, 20_000);

test("doctor stops at a server that rejects the credentials, and at one that does not respond", async () => {
  const cluster = await startCluster();
  const { kubeconfig } = await cluster.listen();
  const stranger = kubeconfig
    .replace(/client-certificate-data: .*/, "token: unknown")
    .replace(/ *client-key-data: .*\n/, "");
  const rejected = await run("doctor", stranger);
  expect(rejected).toMatchObject({ code: 1, err: "" });
  expect(rejected.out).toMatch(
    /✘ API server: the credentials are rejected \(401\)\n {4}fix: log in again, or use another --context\n1 of \d checks failed\n$/,
  );
  await cluster[Symbol.asyncDispose]();
  const gone = await run("doctor", kubeconfig);
  expect(gone.out).toMatch(/✘ API server: .*\n1 of \d checks failed\n$/);
});
