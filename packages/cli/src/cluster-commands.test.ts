/** The commands around a running cluster, as processes: what a person types in two terminals. */
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "kubewright";
import { CustomResourceDefinition } from "kubewright/k8s/apiextensions/v1";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parse } from "yaml";
import { runCommand } from "./index.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kubewright-cli-"));
});
afterEach(async () => {
  if (existsSync(join(folder, "state"))) await kubewright("cluster", "stop", "--all");
  rmSync(folder, { recursive: true });
});

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

function kubewright(...args: string[]): Promise<Ended> {
  const main = join(import.meta.dirname, "main.ts");
  const environment = {
    ...process.env,
    KUBEWRIGHT_STATE_DIR: join(folder, "state"),
    KUBECONFIG: join(folder, "config"),
  };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ["--conditions=kubewright-source", "--import=tsx", main, ...args],
      { env: environment },
      (error, out, err) => resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    );
  });
}

const kubeconfig = (): string => join(folder, "own.kubeconfig");
const start = (...more: string[]): Promise<Ended> =>
  kubewright("cluster", "start", "--no-workloads", "--detach", "--kubeconfig", kubeconfig(), "-o", "json", ...more);

test("definitions with CEL rules are rejected, and accepted with --unevaluated-rules=warn", async () => {
  const size = { type: "integer", "x-kubernetes-validations": [{ rule: "self > 0" }] };
  const define = async (mode: string): Promise<unknown> => {
    await start("--unevaluated-rules", mode);
    await using client = await connect({ kubeconfig: kubeconfig() });
    const schema = { openAPIV3Schema: { type: "object", properties: { size } } };
    return await client.create(CustomResourceDefinition, {
      metadata: { name: "widgets.example.com" },
      spec: {
        group: "example.com",
        scope: "Namespaced",
        names: { plural: "widgets", kind: "Widget" },
        versions: [{ name: "v1", served: true, storage: true, schema }],
      },
    });
  };
  await expect(define("reject")).rejects.toThrow("--unevaluated-rules=warn");
  await kubewright("cluster", "stop");
  await expect(define("warn")).resolves.toMatchObject({ metadata: { name: "widgets.example.com" } });
  expect((await kubewright("cluster", "start", "--unevaluated-rules", "maybe")).code).toBe(2);
});

test("a cluster in the background is shown, asked for its kubeconfig, and stopped", async () => {
  const started = await start();
  expect(started).toMatchObject({ code: 0, err: "" });
  const { url, pid } = JSON.parse(started.out);
  expect(existsSync(kubeconfig())).toBe(true);
  const status = await kubewright("cluster", "status", "-o", "json");
  expect(status.code).toBe(0);
  expect(JSON.parse(status.out)).toMatchObject([{ name: "default", state: "running", url, pid }]);
  const printed = await kubewright("cluster", "kubeconfig");
  expect(parse(printed.out).clusters[0].cluster.server).toBe(url);
  const again = await start();
  expect(again.code).toBe(1);
  expect(again.err).toContain(`Cannot start cluster "default": it is running already, as process ${pid} on ${url}`);
  expect(await kubewright("cluster", "stop")).toEqual({ code: 0, out: 'Stopped cluster "default"\n', err: "" });
  expect(existsSync(kubeconfig())).toBe(false);
  expect(await kubewright("cluster", "status")).toEqual({ code: 3, out: "No cluster is running\n", err: "" });
});

test("a cluster that was killed is noticed, cleaned up after, and can be started anew on its data", async () => {
  const data = join(folder, "data");
  const { pid } = JSON.parse((await start("--data-dir", data)).out);
  process.kill(pid, "SIGKILL");
  const status = await kubewright("cluster", "status");
  expect(status.code).toBe(3);
  expect(status.out).toBe(`default: not running; process ${pid} ended without cleaning up\n`);
  expect(await start("--data-dir", data)).toMatchObject({ code: 0, err: "" });
  const other = await kubewright(
    "cluster",
    "start",
    "--name",
    "other",
    "--data-dir",
    data,
    "--detach",
    "--kubeconfig",
    join(folder, "x"),
  );
  expect(other.code).toBe(1);
  expect(other.err).toContain(`Cannot use data folder "${data}": the cluster of process`);
});

test("merging adds a context to the user's file, keeps everything else, and takes it away again", async () => {
  const real = join(folder, "real-config");
  const before = [
    "# mine",
    "apiVersion: v1",
    "kind: Config",
    "clusters:",
    "- name: work   # do not touch",
    "  cluster: {server: https://work.example.com}",
    "contexts: []",
    "users: []",
    "current-context: work",
    "",
  ].join("\n");
  writeFileSync(real, before, { mode: 0o600 });
  symlinkSync(real, join(folder, "config"));
  const started = await kubewright(
    "cluster",
    "start",
    "--no-workloads",
    "--detach",
    "--merge-kubeconfig",
    "--name",
    "dev",
  );
  expect(started.code).toBe(0);
  expect(started.out).toContain("kubectl --context kubewright-dev get namespaces");
  const text = readFileSync(real, "utf8");
  const merged = parse(text);
  expect(text).toContain("# mine\n");
  expect(text).toContain("# do not touch");
  expect(merged["current-context"]).toBe("work");
  expect(merged.clusters.map((one: { name: string }) => one.name)).toEqual(["work", "kubewright-dev"]);
  expect((await kubewright("cluster", "kubeconfig", "--name", "dev", "--merge", "--set-context")).code).toBe(0);
  expect(parse(readFileSync(real, "utf8"))["current-context"]).toBe("kubewright-dev");
  expect((await kubewright("cluster", "stop", "--name", "dev")).code).toBe(0);
  const after = parse(readFileSync(real, "utf8"));
  expect(after).toEqual({ ...parse(before), "current-context": "" });
});

test("a file that is no kubeconfig is not merged into", async () => {
  writeFileSync(join(folder, "config"), "notes: mine\n");
  const { code, err } = await kubewright("cluster", "start", "--merge-kubeconfig");
  expect(code).toBe(1);
  expect(err).toContain("it is no kubeconfig");
  expect(readFileSync(join(folder, "config"), "utf8")).toBe("notes: mine\n");
});

test.each([
  ["stop", ["cluster", "stop", "--name", "none"], 3, 'Cannot stop cluster "none": none of that name is running\n'],
  [
    "kubeconfig",
    ["cluster", "kubeconfig"],
    3,
    'Cannot show the kubeconfig of cluster "default": none of that name is running\n',
  ],
  ["a bad name", ["cluster", "start", "--name", "../x"], 1, /Cannot use the name "..\/x"/],
  ["a bad output", ["cluster", "status", "-o", "xml"], 2, /Allowed choices are text, json/],
  ["two places", ["cluster", "start", "--kubeconfig", "x", "--merge-kubeconfig"], 1, /exclude each other/],
])("%s without what it needs says so", async (_, args, code, message) => {
  let err = "";
  const streams = { out: { write() {} }, err: { write: (text: string) => (err += text) } };
  expect(await runCommand(args, { ...streams, environment: { KUBEWRIGHT_STATE_DIR: join(folder, "state") } })).toBe(
    code,
  );
  if (typeof message === "string") expect(err).toBe(message);
  else expect(err).toMatch(message);
});
