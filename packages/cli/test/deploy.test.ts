import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startCluster } from "@kubewright/cluster";
import { createClient } from "kubewright";
import { expect, test } from "vitest";
import { applySetId } from "../src/apply-set/identity.js";
import { deployFlow } from "./deploy-flow.js";

test("an operator is installed, deployed, replaced by a newer version, and removed with all that it brought", async () => {
  await using cluster = await startCluster({ workloads: true });
  const { kubeconfig } = await cluster.listen();
  const folder = await mkdtemp(join(tmpdir(), "kubewright-deploy-"));
  const file = join(folder, "kubeconfig");
  await writeFile(file, kubeconfig);
  await deployFlow(createClient(cluster.transport), file, { rollsOut: true });
  await rm(folder, { recursive: true });
}, 30_000);

test("the id of an ApplySet is that of the specification", () => {
  // printf 'my-set.ns.ConfigMap.' | openssl dgst -sha256 -binary | basenc --base64url, without padding.
  expect(applySetId({ name: "my-set", namespace: "ns" })).toBe(
    "applyset-ULsnYSHJXARZs4xqHXGjHojZLxYFzEQXeLr1WRFjD_0-v1",
  );
});
