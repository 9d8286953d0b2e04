import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CertificateAuthority } from "@kubewright/core/certificates";
import type { Comparison } from "./comparison.js";
import type { Review } from "./review-connection.js";
import { ReviewCaller } from "./review-load.js";
import { controllerRuntimePeer, kubewrightPeer, type Peer, RunningPeer } from "./runtime-peer.js";
import { median, quantile } from "./spread.js";
import { widgetNamed } from "./widget.js";

const root = join(import.meta.dirname, "..", "..");
/** Rounds of each measurement; the peers take turns to be first. */
const rounds = 5;
const roundMs = 2_000;
/** Enough for the JIT to warm up, as in a long-running operator. */
const warmUpMs = 6_000;
/** Ours may take so much longer at the 99th percentile. */
const slower = 1.3;

/**
 * Compares a defaulter and a validator on Kubewright with the same ones on controller-runtime, each in a separate process, called in turn by one load
 * generator. Skipped, with a message, without Go.
 */
export async function measureWebhooks(): Promise<Comparison[]> {
  const theirs = controllerRuntimePeer();
  if (theirs === undefined) return [];
  buildPackages();
  const peers = [await kubewrightPeer("bundled", "webhooks-task"), theirs] as const;
  const authority = new CertificateAuthority("bench");
  const { certificate, privateKey } = authority.issueServer("bench", ["127.0.0.1"]);
  const certs = mkdtempSync(join(tmpdir(), "kubewright-bench-"));
  writeFileSync(join(certs, "tls.crt"), certificate);
  writeFileSync(join(certs, "tls.key"), privateKey);
  const running: RunningPeer[] = [];
  try {
    const callers = new Map<Peer, ReviewCaller>();
    for (const peer of peers) {
      const port = await freePort();
      running.push(new RunningPeer(peer, ["--webhook-port", `${port}`, "--webhook-certs", certs]));
      const caller = new ReviewCaller(port, authority.certificate);
      await caller.untilServing(reviews[0]);
      await caller.call(reviews, 16, warmUpMs);
      callers.set(peer, caller);
    }
    const comparisons: Comparison[] = [];
    for (const concurrency of [1, 16, 64]) comparisons.push(...(await measureAt(concurrency, peers, callers)));
    return comparisons;
  } finally {
    await Promise.all(running.map((peer) => peer.stop()));
    rmSync(certs, { recursive: true });
  }
}

/** The time of a create in process with one webhook; the peer is one without webhooks. */
export async function measureWebhookCreates(): Promise<Comparison[]> {
  buildPackages();
  const { command } = await kubewrightPeer("packages", "webhook-creates-task");
  const [program = "", ...args] = command;
  const run = spawnSync(program, args, { encoding: "utf8" });
  if (run.status !== 0) throw new Error(`Cannot measure creates: ${run.stderr}`);
  return JSON.parse(run.stdout) as Comparison[];
}

function buildPackages(): void {
  const built = spawnSync(process.execPath, [...process.execArgv, join(root, "tools", "build", "main.ts")], {
    cwd: root,
    encoding: "utf8",
  });
  if (built.status !== 0) throw new Error(`Cannot measure: the build failed: ${built.stdout}${built.stderr}`);
}

async function measureAt(
  concurrency: number,
  peers: readonly [Peer, Peer],
  callers: ReadonlyMap<Peer, ReviewCaller>,
): Promise<Comparison[]> {
  const measured = new Map(peers.map((peer) => [peer, { p99: [] as number[], perSecond: [] as number[] }]));
  for (let round = 0; round < rounds; round++)
    for (const peer of round % 2 === 0 ? peers : peers.toReversed()) {
      const load = await callers.get(peer)?.call(reviews, concurrency, roundMs);
      if (load === undefined) throw new Error(`${peer.name} does not run`);
      measured.get(peer)?.p99.push(quantile(load.latencyMs, 0.99));
      measured.get(peer)?.perSecond.push(load.perSecond);
    }
  const [ours, theirs] = peers.map((peer) => measured.get(peer) ?? { p99: [], perSecond: [] });
  const compare = (name: string, unit: string, goal: number, value: "p99" | "perSecond"): Comparison => {
    const all = { ours: ours?.[value] ?? [], theirs: theirs?.[value] ?? [] };
    const moreIsBetter = value === "perSecond";
    return { name, unit, ours: median(all.ours), theirs: median(all.theirs), moreIsBetter, goal, rounds: all };
  };
  return [
    compare(`Review, p99, concurrency ${concurrency}`, "ms", concurrency > 16 ? 0 : 1 / slower, "p99"),
    compare(`Reviews, concurrency ${concurrency}`, "1/s", 0, "perSecond"),
  ];
}

/** A defaulting that patches the Widget, and a validation, in turn. */
const reviews: readonly [Review, Review] = [
  { path: "/mutate-bench-kubewright-dev-v1-widget", body: reviewOf(undefined), expected: '"patchType":"JSONPatch"' },
  { path: "/validate-bench-kubewright-dev-v1-widget", body: reviewOf(3), expected: '"allowed":true' },
];

/** The AdmissionReview of a create, as kube-apiserver sends it. */
function reviewOf(replicas: number | undefined): string {
  const { metadata, spec } = widgetNamed("shop");
  const kind = { group: "bench.kubewright.dev", version: "v1", kind: "Widget" };
  const resource = { group: kind.group, version: kind.version, resource: "widgets" };
  const managedFields = [
    {
      manager: "kubectl-create",
      operation: "Update",
      apiVersion: "bench.kubewright.dev/v1",
      time: "2026-01-01T00:00:00Z",
      fieldsType: "FieldsV1",
      fieldsV1: {
        "f:metadata": { "f:labels": { ".": {}, "f:app": {}, "f:tier": {} } },
        "f:spec": { ".": {}, "f:image": {} },
      },
    },
  ];
  return JSON.stringify({
    kind: "AdmissionReview",
    apiVersion: "admission.k8s.io/v1",
    request: {
      uid: "705ab4f5-6393-11e8-b7cc-42010a800002",
      kind,
      resource,
      requestKind: kind,
      requestResource: resource,
      name: "shop",
      namespace: "default",
      operation: "CREATE",
      userInfo: { username: "admin", groups: ["system:masters", "system:authenticated"] },
      object: {
        apiVersion: "bench.kubewright.dev/v1",
        kind: "Widget",
        metadata: {
          ...metadata,
          namespace: "default",
          uid: "6a3f2f39-5d1f-4f0e-8d6b-3b8d2f1f2c11",
          creationTimestamp: "2026-01-01T00:00:00Z",
          generation: 1,
          managedFields,
        },
        spec: { ...spec, replicas },
      },
      oldObject: null,
      dryRun: false,
      options: { kind: "CreateOptions", apiVersion: "meta.k8s.io/v1", fieldManager: "kubectl-create" },
    },
  });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("There is no free port");
  return address.port;
}
