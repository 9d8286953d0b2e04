import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startCluster } from "@kubewright/cluster";
import { expect, test } from "vitest";
import { planFlow } from "./plan-flow.js";

test("plan prints what a newer operator would change, and the cluster stores nothing", async () => {
  await using cluster = await startCluster();
  const { kubeconfig } = await cluster.listen();
  const folder = await mkdtemp(join(tmpdir(), "kubewright-plan-"));
  const file = join(folder, "kubeconfig");
  await writeFile(file, kubeconfig);
  const revisions: number[] = [];
  await planFlow(file, () => revisions.push(cluster.revision));
  await rm(folder, { recursive: true });
  expect(new Set(revisions).size).toBe(1);
  expect(revisions.length).toBeGreaterThan(1);
}, 30_000);
