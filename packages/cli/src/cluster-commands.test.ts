/** The commands around a running cluster. The cluster is a process; commands that only look for it run in this one, which is faster. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { isRunning, startTimeOf } from "@kubewright/cluster/process";
import { type Clock, systemClock } from "@kubewright/core/clock";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parse } from "yaml";
import { writeClusterFiles } from "./cluster-files.js";
import { type ClusterState, ClusterStates } from "./cluster-state.js";
import { stopClusterCommand } from "./cluster-stop.js";
import { runCommand } from "./index.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kubewright-cli-"));
});
afterEach(async () => {
  if (existsSync(join(folder, "state"))) await kubewright("cluster", "stop", "--all");
  rmSync(folder, { recursive: true });
});

interface Finished {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

const environment = (): NodeJS.ProcessEnv => ({
  ...process.env,
  KUBEWRIGHT_STATE_DIR: join(folder, "state"),
  KUBECONFIG: join(folder, "config"),
});
const command = (...args: string[]): string[] => [
  "--conditions=kubewright-source",
  "--import=tsx",
  join(import.meta.dirname, "main.ts"),
  ...args,
];

async function kubewright(...args: string[]): Promise<Finished> {
  if (args[1] !== "start") {
    const written = { out: "", err: "" };
    const streamTo = (name: "out" | "err") => ({ write: (text: string) => (written[name] += text) });
    const streams = { out: streamTo("out"), err: streamTo("err"), environment: environment() };
    return { code: await runCommand(args, streams), ...written };
  }
  return await new Promise((resolve) => {
    execFile(process.execPath, command(...args), { env: environment() }, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    );
  });
}

const kubeconfig = (): string => join(folder, "own.kubeconfig");
const start = (...more: string[]): Promise<Finished> =>
  kubewright("cluster", "start", "--no-workloads", "--detach", "--kubeconfig", kubeconfig(), "-o", "json", ...more);

test("a detached cluster is reported, prints and merges its kubeconfig, and stop removes both", async () => {
  const started = await start();
  expect(started).toMatchObject({ code: 0, err: "" });
  const { url, pid } = JSON.parse(started.out);
  expect(existsSync(kubeconfig())).toBe(true);
  const status = await kubewright("cluster", "status", "-o", "json");
  expect(status.code).toBe(0);
  expect(JSON.parse(status.out)).toMatchObject([{ name: "default", state: "running", url, pid }]);
  const printed = await kubewright("cluster", "kubeconfig");
  expect(parse(printed.out).clusters[0].cluster.server).toBe(url);
  const asJson = await kubewright("cluster", "kubeconfig", "-o", "json");
  expect(JSON.parse(asJson.out)).toEqual(parse(printed.out));
  const acting = await kubewright(
    "cluster",
    "kubeconfig",
    "--as",
    "system:serviceaccount:ns:bot",
    "--as-group",
    "a",
    "b",
  );
  expect(acting.out).toContain('      as: "system:serviceaccount:ns:bot"\n      as-groups: ["a","b"]\n');
  expect((await kubewright("cluster", "kubeconfig", "--as-group", "a")).code).toBe(2);
  const merged = await kubewright("cluster", "kubeconfig", "--merge", "-o", "json");
  expect(merged.code).toBe(0);
  expect(JSON.parse(merged.out)).toEqual({
    context: "kubewright-default",
    file: join(folder, "config"),
    current: false,
  });
  expect(parse(readFileSync(join(folder, "config"), "utf8")).contexts).toHaveLength(1);
  const again = await start();
  expect(again.code).toBe(1);
  expect(again.err).toContain(`Cannot start cluster "default": it is already running, as process ${pid} on ${url}`);
  expect(await kubewright("cluster", "stop")).toEqual({ code: 0, out: 'Stopped cluster "default"\n', err: "" });
  expect(existsSync(kubeconfig())).toBe(false);
  expect(parse(readFileSync(join(folder, "config"), "utf8")).contexts).toEqual([]);
  expect(await kubewright("cluster", "status")).toEqual({ code: 3, out: "No cluster is running\n", err: "" });
});

test("a killed cluster is reported as terminated, and the next one starts on its data directory", async () => {
  const data = join(folder, "data");
  const { pid } = JSON.parse((await start("--data-dir", data)).out);
  await kill(pid);
  const status = await kubewright("cluster", "status");
  expect(status.code).toBe(3);
  expect(status.out).toBe(`default: not running; process ${pid} terminated without cleaning up\n`);
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
  const stopped = await kubewright("cluster", "stop", "-o", "json");
  expect(JSON.parse(stopped.out)).toEqual({ stopped: [{ name: "default", killed: false }] });
  expect(existsSync(join(data, "lock")), "stop returns when the data directory is free").toBe(false);
});

test("stop removes the kubeconfig that a killed cluster left behind", async () => {
  const states = new ClusterStates(environment());
  const state = { ...unresponsiveState(process.pid), processStartTime: "1", kubeconfigFile: kubeconfig() };
  await writeClusterFiles(states, state, false);
  const streams = { ...recorder(), environment: environment() };
  expect(await runCommand(["cluster", "stop"], streams)).toBe(3);
  expect(streams.text()).toBe(
    `Cluster "default" was not running; removed the files that process ${process.pid} left behind\n`,
  );
  expect(existsSync(kubeconfig())).toBe(false);
  expect(await states.list()).toEqual([]);
});

test("a process that runs and does not respond is reported, keeps its state, and is stopped", async () => {
  const hanging = spawn(process.execPath, ["--eval", "setInterval(() => {}, 1_000)"], { stdio: "ignore" });
  try {
    await once(hanging, "spawn");
    const states = new ClusterStates(environment());
    await states.write(unresponsiveState(hanging.pid ?? 0));
    const streams = { ...recorder(), environment: environment() };
    expect(await runCommand(["cluster", "status"], streams)).toBe(1);
    expect(streams.text()).toContain(`default: process ${hanging.pid} is running, but does not respond on https://`);
    expect(await states.read("default")).toBeDefined();
    expect(await runCommand(["cluster", "start"], streams)).toBe(1);
    expect(streams.text()).toContain(`it is already running, as process ${hanging.pid}`);
    const exited = once(hanging, "exit");
    expect(await stopClusterCommand({ name: "default" }, streams, fastClock)).toBe(0);
    expect(streams.text()).toContain(`killed process ${hanging.pid}, which did not stop within 20 s`);
    expect(await exited).toEqual([null, "SIGKILL"]);
    expect(await states.read("default")).toBeUndefined();
  } finally {
    hanging.kill("SIGKILL");
  }
});

test.skipIf(process.platform === "win32")(
  "a cluster in the foreground removes its kubeconfig when its terminal is closed",
  async () => {
    const args = command("cluster", "start", "--no-workloads", "--kubeconfig", kubeconfig(), "-o", "json");
    const cluster = spawn(process.execPath, args, { env: environment(), stdio: ["ignore", "pipe", "inherit"] });
    await once(createInterface({ input: cluster.stdout }), "line");
    expect(existsSync(kubeconfig())).toBe(true);
    const exited = once(cluster, "exit");
    cluster.kill("SIGHUP");
    expect(await exited).toEqual([0, null]);
    expect(existsSync(kubeconfig())).toBe(false);
  },
);

test("merging adds a context to the user's file, keeps everything else, and stop removes the context", async () => {
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
  const content = readFileSync(real, "utf8");
  const merged = parse(content);
  expect(content).toContain("# mine\n");
  expect(content).toContain("# do not touch");
  expect(merged["current-context"]).toBe("work");
  expect(merged.clusters.map((one: { name: string }) => one.name)).toEqual(["work", "kubewright-dev"]);
  expect((await kubewright("cluster", "kubeconfig", "--name", "dev", "--merge", "--set-context")).code).toBe(0);
  expect(parse(readFileSync(real, "utf8"))["current-context"]).toBe("kubewright-dev");
  expect((await kubewright("cluster", "stop", "--name", "dev")).code).toBe(0);
  const after = parse(readFileSync(real, "utf8"));
  expect(after).toEqual({ ...parse(before), "current-context": "" });
});

test("a file that is not a kubeconfig is not changed", async () => {
  writeFileSync(join(folder, "config"), "notes: mine\n");
  const { code, err } = await kubewright("cluster", "start", "--merge-kubeconfig");
  expect(code).toBe(1);
  expect(err).toContain("it is not a kubeconfig");
  expect(readFileSync(join(folder, "config"), "utf8")).toBe("notes: mine\n");
});

test.each([
  [
    "stop",
    ["cluster", "stop", "--name", "none"],
    3,
    'Cannot stop cluster "none": no cluster of that name is running; kubewright cluster status lists yours, kubewright cluster start starts one\n',
  ],
  [
    "kubeconfig",
    ["cluster", "kubeconfig"],
    3,
    'Cannot show the kubeconfig of cluster "default": no cluster of that name is running; kubewright cluster status lists yours, kubewright cluster start starts one\n',
  ],
  ["an invalid name", ["cluster", "start", "--name", "../x"], 1, /Cannot use the name "..\/x"/],
  ["an invalid output", ["cluster", "status", "-o", "xml"], 2, /Allowed choices are text, json/],
  ["two destinations", ["cluster", "start", "--kubeconfig", "x", "--merge-kubeconfig"], 1, /are mutually exclusive/],
])("%s fails with a message", async (_, args, code, message) => {
  const streams = { ...recorder(), environment: { KUBEWRIGHT_STATE_DIR: join(folder, "state") } };
  expect(await runCommand(args, streams)).toBe(code);
  if (typeof message === "string") expect(streams.text()).toBe(message);
  else expect(streams.text()).toMatch(message);
});

/** Resolves when the process has terminated: a signal is delivered some time after it was sent. */
async function kill(pid: number): Promise<void> {
  const startTime = startTimeOf(pid) ?? "";
  process.kill(pid, "SIGKILL");
  await expect.poll(() => isRunning({ pid, startTime }), { timeout: 10_000, interval: 5 }).toBe(false);
}

function unresponsiveState(pid: number): ClusterState {
  const processStartTime = startTimeOf(pid) ?? "";
  // Port 9 (discard): no server listens there.
  const where = { url: "https://127.0.0.1:9", caCertificate: "", kubeconfig: "" };
  return { name: "default", pid, processStartTime, ...where, startedAt: new Date(0).toISOString() };
}

function recorder() {
  let written = "";
  const stream = { write: (more: string) => (written += more) };
  return { out: stream, err: stream, text: () => written };
}

/** 200 times as fast as the system's clock. */
const fastClock: Clock = {
  ...systemClock,
  monotonic: () => systemClock.monotonic() * 200,
  startTimer: (ms, callback) => systemClock.startTimer(ms / 200, callback),
};
