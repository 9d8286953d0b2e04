import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import {
  imageArchive,
  installedNodePrograms,
  missingForRealNode,
  type NodePlace,
  nodeImage,
  placeRealNode,
  type RealNode,
} from "@kubewright/cluster/real-node";
import { silentLogger } from "@kubewright/core/log";
import { type ConnectedClient, connect } from "kubewright/client";
import { startEmbeddedPlane } from "./embedded-plane.js";
import type { JoinablePlane } from "./joinable-plane.js";
import { listProgram, webProgram } from "./programs.js";
import { startRealPlane } from "./real-plane.js";

const missing = missingForRealNode(installedNodePrograms());
if (missing.length > 0)
  process.stderr.write(
    `SKIPPED: no real node runs on this machine. Missing:\n${missing.map((one) => `  - ${one}\n`).join("")}`,
  );

/** Whether this machine can run a node; what is missing has been printed. */
export const canRunNodes = missing.length === 0;

/** The control planes that a node joins. */
export const planes = [
  ["the embedded control plane", startEmbeddedPlane],
  ["the real control plane", startRealPlane],
] as const;

/** Longer than anything takes on a busy machine, and the limit of a test. */
export const limitMs = 120_000;

/** A node that joined a control plane, with the images of the tests, and kubectl. */
export interface NodeWorld {
  readonly place: NodePlace;
  readonly plane: JoinablePlane;
  readonly node: RealNode;
  /** Over HTTPS, as the administrator. */
  readonly client: ConnectedClient;
  /** Of kubectl. */
  readonly environment: Readonly<Record<string, string>>;
  /** Runs kubectl, with arguments that have no space. Rejects with its output. */
  run(command: string): Promise<string>;
  /** Runs a command of the web program in a pod. */
  inPod(pod: string, ...command: readonly string[]): Promise<string>;
  apply(manifests: string): Promise<void>;
  /** The name of a pod with this label `app`. */
  podOf(app: string): Promise<string>;
  /** The path of a file that a test may write. */
  file(name: string): string;
  stop(): Promise<void>;
}

export const kubectl = process.env["KUBEWRIGHT_KUBECTL"] ?? "";

/** Starts a control plane and a node that joins it. */
export async function startNodeWorld(startPlane: (place: NodePlace) => Promise<JoinablePlane>): Promise<NodeWorld> {
  const folder = await mkdtemp(join(tmpdir(), "kubewright-node-"));
  const file = (name: string): string => join(folder, name);
  const environment = { PATH: process.env["PATH"] ?? "", HOME: folder, KUBECONFIG: file("kubeconfig"), TERM: "dumb" };
  const runWith = async (args: readonly string[]): Promise<string> => {
    const { stdout } = await promisify(execFile)(kubectl, args, { env: environment, timeout: limitMs });
    return stdout.trim();
  };
  const run = (command: string): Promise<string> => runWith(command.split(" "));
  const place = await placeRealNode(installedNodePrograms());
  const plane = await startPlane(place).catch(async (error: unknown) => {
    await place.remove();
    throw error;
  });
  const node = await place.start({ name: "real", logger: silentLogger, ...plane }).catch(async (error: unknown) => {
    await plane.stop();
    throw error;
  });
  for (const image of await images()) await node.importImage(image);
  await writeFile(file("kubeconfig"), plane.kubeconfig);
  const client = await connect({ kubeconfig: file("kubeconfig") });
  return {
    place,
    plane,
    node,
    client,
    environment,
    run,
    inPod: (pod, ...command) => runWith(["exec", pod, "--", "/usr/local/bin/node", "/app/main.mjs", ...command]),
    async apply(manifests) {
      await writeFile(file("manifests.yaml"), manifests);
      await run(`apply -f ${file("manifests.yaml")}`);
    },
    podOf: async (app) => (await run(`get pods -l app=${app} -o name`)).split("\n")[0]?.slice("pod/".length) ?? "",
    file,
    async stop() {
      await client.close();
      await node.stop();
      await plane.stop();
      await rm(folder, { recursive: true });
    },
  };
}

async function images(): Promise<readonly Buffer[]> {
  const listPods = await readFile(join(dirname(installedNodePrograms().kubelet), "list-pods"));
  return [
    // tar: for kubectl cp.
    await nodeImage({ name: "example.com/web:1", program: webProgram, programs: ["/usr/bin/tar"] }),
    await nodeImage({ name: "example.com/list:1", program: listProgram }),
    imageArchive({
      name: "example.com/list-pods:1",
      files: [{ path: "list-pods", content: listPods, mode: 0o755 }],
      entrypoint: ["/list-pods"],
    }),
  ];
}

/** Resolves when a check returns true. Rejects with its last error or result after two minutes. */
export async function until(check: () => Promise<unknown>): Promise<void> {
  const endMs = performance.now() + limitMs;
  for (;;) {
    let result: unknown;
    try {
      result = await check();
      if (result === true) return;
    } catch (error) {
      result = error;
    }
    if (performance.now() > endMs) throw new Error(`not so after ${limitMs / 1_000} s: ${String(result)}`);
    await delay(250);
  }
}
