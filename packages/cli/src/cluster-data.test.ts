import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, waitFor } from "kubewright";
import { Deployment } from "kubewright/k8s/apps/v1";
import { ConfigMap, Namespace } from "kubewright/k8s/core/v1";
import { expect, onTestFinished, test } from "vitest";
import { runCommand } from "./run-command.js";

/** A cluster that serves in this process, and the commands that another process would run. */
async function startServing() {
  const folder = await mkdtemp(join(tmpdir(), "kubewright-data-"));
  const environment = { KUBEWRIGHT_STATE_DIR: join(folder, "state") };
  const kubeconfig = join(folder, "kubeconfig");
  const stop = new AbortController();
  let ended: Promise<number> = Promise.resolve(0);
  await new Promise<void>((ready) => {
    const out = { write: () => ready() };
    const args = ["cluster", "start", "--kubeconfig", kubeconfig, "-o", "json"];
    ended = runCommand(args, { out, err: process.stderr, environment, signal: stop.signal });
  });
  onTestFinished(async () => {
    stop.abort();
    await ended;
    await rm(folder, { recursive: true });
  });
  const run = async (...args: string[]) => {
    let [out, err] = ["", ""];
    const code = await runCommand(["cluster", ...args], {
      out: { write: (text) => (out += text) },
      err: { write: (text) => (err += text) },
      environment,
    });
    return { code, out, err };
  };
  const client = await connect({ kubeconfig });
  onTestFinished(() => client.close());
  return { folder, run, client };
}

const labels = { app: "web" };
const web = {
  metadata: { name: "web" },
  spec: {
    replicas: 1,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: "web", image: "web" }] } },
  },
};
test("a running cluster's objects are written to a file, restored and reset, and its controllers go on", async () => {
  const { folder, run, client } = await startServing();
  const file = join(folder, "before.snapshot");
  await client.apply(ConfigMap, { metadata: { name: "kept" }, data: { a: "1" } }, { fieldManager: "test" });
  const { uid } = (await client.get(ConfigMap, "kept")).metadata;
  const written = await run("snapshot", file);
  expect(written).toMatchObject({
    code: 0,
    err: "",
    out: expect.stringMatching(/^Wrote \d+ objects of cluster "default" to /),
  });

  await client.patch(ConfigMap, "kept", { merge: { data: { a: "2" } } });
  await client.create(Namespace, { metadata: { name: "later" } });
  expect(await run("restore", file)).toMatchObject({ code: 0, err: "" });
  expect(await client.get(ConfigMap, "kept")).toMatchObject({ metadata: { uid }, data: { a: "1" } });
  expect(await client.find(Namespace, "later")).toBeUndefined();

  expect(await run("reset")).toEqual({ code: 0, err: "", out: 'Cluster "default" has the objects of a new cluster\n' });
  expect(await client.find(ConfigMap, "kept")).toBeUndefined();
  await client.create(Deployment, web);
  await waitFor(client, Deployment, "web", { until: (web) => web?.status?.availableReplicas === 1, timeout: "20s" });
}, 60_000);

test("a damaged snapshot, one of something else, and a missing one are rejected, and change nothing", async () => {
  const { folder, run, client } = await startServing();
  const file = join(folder, "a.snapshot");
  await client.create(ConfigMap, { metadata: { name: "kept" } });
  await run("snapshot", file);
  const text = await readFile(file, "utf8");
  await writeFile(file, text.slice(0, text.length / 2));
  expect((await run("restore", file)).err).toMatch(
    /^error: Cannot restore cluster "default": Cannot read the snapshot: it is damaged at/,
  );
  await writeFile(file, `${text.split("\n").slice(0, 5).join("\n")}\n`);
  expect((await run("restore", file)).err).toMatch(/it has 4 of \d+ objects/);
  await writeFile(file, "a: b\n");
  expect((await run("restore", file)).err).toContain("it is not a snapshot of an embedded cluster");
  expect((await run("restore", join(folder, "none"))).err).toContain("there is no file");
  expect(await run("reset", "--name", "other")).toMatchObject({
    code: 3,
    err: 'Cannot reset cluster "other": no cluster of that name is running; kubewright cluster status lists yours, kubewright cluster start starts one\n',
  });
  expect(await client.find(ConfigMap, "kept")).toBeDefined();
}, 60_000);

test("an image for a cluster without a real node is rejected", async () => {
  const { folder, run } = await startServing();
  await writeFile(join(folder, "web.tar"), "");
  expect(await run("load-image", join(folder, "web.tar"))).toEqual({
    code: 1,
    out: "",
    err: expect.stringContaining(
      'Cannot load an image into cluster "default": it has no real node; start it with "--real-node"',
    ),
  });
});
