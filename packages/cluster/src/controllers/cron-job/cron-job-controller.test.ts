import { CronJob, Job } from "kubewright/k8s/batch/v1";
import { expect, test } from "vitest";
import { startControllerCluster } from "../../../test/virtual-cluster.js";
import { cronJobController } from "./index.js";

test("a CronJob creates one Job per minute, also across a restart, and none while suspended", async () => {
  await using rig = await startControllerCluster(() => [cronJobController()]);
  const key = { namespace: "default", name: "tick" };
  const template = { spec: { restartPolicy: "Never" as const, containers: [{ name: "work", image: "work:1" }] } };
  await rig.client.create(CronJob, {
    metadata: key,
    spec: { schedule: "* * * * *", jobTemplate: { spec: { template } } },
  });
  const jobs = async () => {
    const names: string[] = [];
    for await (const { metadata } of rig.client.list(Job, { namespace: "default" })) names.push(metadata.name);
    return names;
  };
  await rig.advance(121);
  expect(await jobs()).toHaveLength(2);
  await rig.restart();
  await rig.rest();
  expect(await jobs()).toHaveLength(2);
  expect((await rig.client.get(CronJob, key)).status?.active).toHaveLength(2);
  await rig.client.patch(CronJob, key, { merge: { spec: { suspend: true } } });
  await rig.advance(600);
  expect(await jobs()).toHaveLength(2);
  await rig.client.delete(Job, { namespace: "default", name: (await jobs())[0] ?? "" });
  await rig.rest();
  expect((await rig.client.get(CronJob, key)).status?.active).toHaveLength(1);
  expect(await rig.events("MissingJob")).toHaveLength(1);
  expect(await rig.events("UnexpectedJob")).toEqual([]);
});
