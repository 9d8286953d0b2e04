import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type NodeWorld, until } from "./node-world.js";

/** Tests of volumes: PersistentVolumes in a folder of the node, ConfigMaps and Secrets. */
export function testStorage(world: () => NodeWorld): void {
  const volumeOf = async (claim: string): Promise<string> => {
    const { run } = world();
    const volume = await run(`get pvc ${claim} -o jsonpath={.spec.volumeName}`);
    return await run(`get pv ${volume} -o jsonpath={.spec.local.path}`);
  };

  test("a StatefulSet keeps its data when a pod is deleted", async () => {
    const { run, inPod } = world();
    await run("wait --for=jsonpath={.status.phase}=Running pod/store-0 --timeout=90s");
    await inPod("store-0", "append", "/data/words", "kept");
    const uid = "get pod store-0 --ignore-not-found -o jsonpath={.metadata.uid}";
    const before = await run(uid);
    await run("delete pod store-0");
    await until(async () => !["", before].includes(await run(uid)));
    await run("wait --for=jsonpath={.status.phase}=Running pod/store-0 --timeout=90s");
    expect(await inPod("store-0", "read", "/data/words")).toBe("kept");
    expect(readFileSync(join(await volumeOf("data-store-0"), "words"), "utf8")).toBe("kept");
  });

  test("a PersistentVolumeClaim that is deleted takes its data with it", async () => {
    const { run } = world();
    const folder = await volumeOf("data-store-1");
    expect(existsSync(folder)).toBe(true);
    await run("scale statefulset/store --replicas=1");
    await run("delete pvc data-store-1 --timeout=90s");
    await until(async () => !existsSync(folder));
    await until(async () => (await run("get pv -o name")).split("\n").length === 1);
  });

  test("a block volume is rejected with an event", async () => {
    const { apply, run } = world();
    await apply(`
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: block }
spec: { accessModes: [ReadWriteOnce], volumeMode: Block, resources: { requests: { storage: 1Gi } } }
---
apiVersion: v1
kind: Pod
metadata: { name: block }
spec:
  containers: [{ name: web, image: example.com/web:1, volumeDevices: [{ name: data, devicePath: /dev/data }] }]
  volumes: [{ name: data, persistentVolumeClaim: { claimName: block } }]
`);
    const events = "get events --field-selector involvedObject.name=block,reason=ProvisioningFailed -o name";
    await until(async () => (await run(events)) !== "");
    await run("delete pod/block pvc/block --timeout=60s");
  });

  test("a mounted Secret has its value, and a mounted ConfigMap gets its next one", async () => {
    const { run, inPod, podOf } = world();
    const pod = await podOf("web");
    expect(await inPod(pod, "read", "/password/value")).toBe("swordfish");
    const patch = (greeting: string) => `patch configmap settings -p {"data":{"greeting":"${greeting}"}}`;
    await run(patch("bonjour"));
    // A change of the pod lets the kubelet look at its volumes at once.
    await run(`annotate pod ${pod} looked=1`);
    await until(async () => (await inPod(pod, "read", "/settings/greeting")) === "bonjour");
    await run(patch("hello"));
    await run(`annotate pod ${pod} looked=2 --overwrite`);
    await until(async () => (await inPod(pod, "read", "/settings/greeting")) === "hello");
  });
}
