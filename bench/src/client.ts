import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { systemClock } from "@kubewright/core/clock";
import { findBinary, kubeconfigText, startControlPlane } from "@kubewright/testing/control-plane";
import { createClient } from "kubewright";
import { ConfigMap, Pod } from "kubewright/k8s/core/v1";
import { HttpsTransport, parseKubeconfig } from "kubewright/transport";
import type { ClientTask, ClientTaskResult } from "./client-task.js";
import { type Figure, figureOf } from "./measure.js";
import { startRecordedServer } from "./recorded-server.js";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const objects = 10_000;

/**
 * Compares Kubewright's client with `@kubernetes/client-node`, each task in a new process with built packages: import, decoding of a list and of a watch
 * from recorded bytes, requests over TLS to recorded responses and to the real server. Skipped, with a message, without kube-apiserver.
 */
export async function measureClient(): Promise<Record<string, Figure[]>> {
  if (findBinary("kube-apiserver") === undefined) {
    console.error("Skipping the client benchmark: kube-apiserver is not installed (npm run real:install)");
    return {};
  }
  const build = spawnSync(process.execPath, [...process.execArgv, join(root, "tools", "build", "main.ts")], {
    cwd: root,
    encoding: "utf8",
  });
  if (build.status !== 0) throw new Error(`Cannot measure clients: the build failed: ${build.stdout}${build.stderr}`);
  const folder = mkdtempSync(join(tmpdir(), "kubewright-bench-"));
  const plane = await startControlPlane();
  try {
    const real = plane.kubeconfigFile(plane.admin);
    await prepare(kubeconfigText(plane, plane.admin));
    const server = await startRecordedServer(plane, objects);
    const recorded = join(folder, "recorded.kubeconfig");
    writeFileSync(recorded, kubeconfigText({ url: server.url, caCertificate: plane.caCertificate }, plane.admin));
    try {
      return await measureAll(real, recorded);
    } finally {
      await server.close();
    }
  } finally {
    await plane.stop();
    rmSync(folder, { recursive: true });
  }
}

async function measureAll(real: string, recorded: string): Promise<Record<string, Figure[]>> {
  const peers = ["kubewright", "client-node"] as const;
  const both = async (name: string, work: ClientTask["work"], kubeconfig: string): Promise<Figure[]> => {
    const figures: Figure[] = [];
    for (const peer of peers) figures.push(await figure(`${name}, ${peer}`, { peer, work, kubeconfig }));
    return figures;
  };
  const list = { kind: "list", runs: 5, how: "whole" } as const;
  const paged: ClientTask = { peer: "kubewright", work: { ...list, how: "paged" }, kubeconfig: recorded };
  const groups: Record<string, Figure[]> = {
    "Client: import in a new process": [await importFigure("kubewright"), await importFigure("client-node")],
    [`Client: list of ${objects} Pods, CPU time`]: [
      ...(await both("one response", list, recorded)),
      await figure("in pages of 500 (the default), kubewright", paged),
    ],
    [`Client: ${objects} watch events, CPU time`]: await both("watch", { kind: "watch", runs: 9 }, recorded),
  };
  for (const concurrency of [1, 16, 64]) {
    const count = concurrency === 1 ? 100 : 320;
    const work = { kind: "requests", count, concurrency } as const;
    const title = `Client: ${count} requests, concurrency ${concurrency}`;
    groups[`${title}, recorded responses`] = await both("get", work, recorded);
    groups[`${title}, real kube-apiserver`] = await both("get", work, real);
  }
  return groups;
}

/** Without a module loader, which would add time to each file. */
async function importFigure(peer: ClientTask["peer"]): Promise<Figure> {
  const name = peer === "kubewright" ? "kubewright" : "@kubernetes/client-node";
  const code = `const started = performance.now(); await import("${name}"); const timesMs = [performance.now() - started];
    console.log(JSON.stringify({ timesMs, residentMb: process.memoryUsage.rss() / 1048576, seen: 1 }));`;
  const results: ClientTaskResult[] = [];
  for (let run = 0; run < 5; run++) results.push(await runScript(["--input-type=module", "--eval", code]));
  const residentMb = Math.min(...results.map((result) => result.residentMb));
  return figureOf(
    `import, ${peer} (${residentMb.toFixed(0)} MB)`,
    results.flatMap(({ timesMs }) => timesMs),
  );
}

async function figure(name: string, task: ClientTask): Promise<Figure> {
  const { timesMs, seen, residentMb } = await runTask(task);
  const expected = task.work.kind === "requests" ? task.work.count : objects;
  if (seen !== expected) throw new Error(`Cannot measure "${name}": ${seen} seen instead of ${expected}`);
  return figureOf(`${name} (${residentMb.toFixed(0)} MB)`, timesMs);
}

function runTask(task: ClientTask): Promise<ClientTaskResult> {
  return runScript(["--import", "tsx", join(root, "bench", "src", "client-task.ts"), JSON.stringify(task)]);
}

async function runScript(args: readonly string[]): Promise<ClientTaskResult> {
  const child = spawn(process.execPath, args, { cwd: join(root, "bench"), stdio: ["ignore", "pipe", "inherit"] });
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  let output = "";
  for await (const chunk of child.stdout.setEncoding("utf8")) output += String(chunk);
  const code = await exited;
  if (code !== 0) throw new Error(`Cannot measure ${args.at(-1)}: it exited with ${code}`);
  return JSON.parse(output) as ClientTaskResult;
}

/** Creates typical Pods and a ConfigMap to read. */
async function prepare(kubeconfig: string): Promise<void> {
  const connection = await parseKubeconfig([{ file: "kubeconfig", text: kubeconfig }]);
  const transport = new HttpsTransport(connection, { clock: systemClock });
  const client = createClient(transport);
  await client.create(ConfigMap, { metadata: { name: "settings" }, data: { mode: "fast", level: "3" } });
  for (let index = 0; index < 20; index++) {
    await client.create(Pod, podOf(`web-${index}`));
    await client.patchStatus(Pod, `web-${index}`, { merge: { status: runningStatus } });
  }
  await transport.close();
}

function podOf(name: string) {
  const probe = { httpGet: { path: "/healthz", port: 8080 }, initialDelaySeconds: 5, periodSeconds: 10 };
  const container = (part: string) => ({
    name: part,
    image: `registry.example.com/shop/${part}:1.2.3`,
    ports: [{ name: "http", containerPort: 8080 }],
    env: ["LEVEL", "MODE", "REGION", "TEAM"].map((key) => ({ name: key, value: `${key.toLowerCase()}-value` })),
    resources: { requests: { cpu: "100m", memory: "128Mi" }, limits: { cpu: "500m", memory: "256Mi" } },
    volumeMounts: [{ name: "settings", mountPath: "/etc/settings", readOnly: true }],
    livenessProbe: probe,
    readinessProbe: probe,
  });
  return {
    metadata: {
      name,
      labels: { app: "shop", tier: "web", "pod-template-hash": "6bd7c9f5d8" },
      annotations: { "example.com/checksum": "2f7c1e9a", "prometheus.io/scrape": "true" },
    },
    spec: {
      containers: [container("web"), container("proxy")],
      volumes: [{ name: "settings", configMap: { name: "settings" } }],
      tolerations: [{ key: "dedicated", operator: "Equal", value: "shop", effect: "NoSchedule" } as const],
    },
  };
}

const sinceText = "2026-01-01T00:00:00Z";
const runningStatus = {
  phase: "Running" as const,
  startTime: sinceText,
  podIP: "10.1.2.3",
  podIPs: [{ ip: "10.1.2.3" }],
  conditions: ["PodScheduled", "Initialized", "ContainersReady", "Ready"].map((type) => ({
    type,
    status: "True",
    lastTransitionTime: sinceText,
  })),
  containerStatuses: ["web", "proxy"].map((name) => ({
    name,
    image: `registry.example.com/shop/${name}:1.2.3`,
    imageID: "registry.example.com/shop@sha256:0123456789abcdef",
    ready: true,
    started: true,
    restartCount: 0,
    state: { running: { startedAt: sinceText } },
  })),
};
