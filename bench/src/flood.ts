import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Client } from "undici";
import { buildCommand, type ClusterTarget, startEmbedded } from "./cluster-target.js";
import type { Comparison } from "./comparison.js";
import type { FloodTask } from "./flood-task.js";

const connections = 200;
const samples = 1_000;

/** Requests of one user in flight, more than a server allows. */
const tooMany = 800;

const seconds = 3;

/**
 * The 99th percentile of one user's response times while another user floods the server over 200 connections, beside that of an idle server. Goal: at
 * most five times. Then the rates of rejections, beside that of the same GET by a user who may: 403 to a user without permission, 429 beyond 600 requests
 * in flight.
 */
export async function measureFlood(): Promise<
  { readonly peer: string; readonly comparisons: readonly Comparison[] }[]
> {
  buildCommand();
  const folder = mkdtempSync(join(tmpdir(), "kubewright-flood-"));
  try {
    const target = await startEmbedded(folder);
    try {
      await responseTimes(target);
      const idle = percentile99(await responseTimes(target));
      const stop = await startFlood(target);
      const flooded = percentile99(await responseTimes(target));
      stop();
      const name = `p99 of a user while another floods over ${connections} connections`;
      return [
        {
          peer: "idle",
          comparisons: [{ name, unit: "ms", ours: flooded, theirs: idle, moreIsBetter: false, goal: 0.2 }],
        },
        { peer: "allowed", comparisons: await rejectionRates(target) },
      ];
    } finally {
      await target.stop();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function rejectionRates(target: ClusterTarget): Promise<readonly Comparison[]> {
  const few = 16;
  await ratesOf(target, few);
  const { 200: allowed = 0 } = await ratesOf(target, few);
  const { 403: forbidden = 0 } = await ratesOf({ url: target.url, caCertificate: target.caCertificate }, few);
  const { 200: served = 0, 429: rejected = 0 } = await ratesOf(target, tooMany);
  if (forbidden === 0 || rejected === 0) throw new Error("Cannot measure rejections: no request was rejected");
  const line = (name: string, ours: number): Comparison => ({
    name,
    unit: "per s",
    ours,
    theirs: allowed,
    moreIsBetter: true,
    goal: 0,
  });
  return [
    line(`403s of an anonymous user, concurrency ${few}`, forbidden),
    line(
      `responses over ${tooMany} connections, ${Math.round((100 * rejected) / (served + rejected))} % of them 429`,
      served + rejected,
    ),
  ];
}

/** Of requests without credentials, which are a user of their own, one after the other on one connection. */
async function responseTimes({ url, caCertificate }: ClusterTarget): Promise<number[]> {
  const client = new Client(url, { connect: { ca: caCertificate } });
  const times: number[] = [];
  for (let index = 0; index < samples; index++) {
    const startedMs = performance.now();
    const { body } = await client.request({ method: "GET", path: "/version" });
    await body.dump();
    times.push(performance.now() - startedMs);
  }
  await client.close();
  return times;
}

function percentile99(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0;
}

/** Resolves once the flood has begun; returns what stops it. */
async function startFlood(target: Flooded): Promise<() => void> {
  const { child, lines } = spawnFlood(target, { connections });
  await lines.next();
  return () => child.kill("SIGKILL");
}

/** Responses per second, by status. */
async function ratesOf(target: Flooded, connections: number): Promise<Readonly<Record<number, number>>> {
  const { lines } = spawnFlood(target, { connections, seconds });
  await lines.next();
  const { value } = await lines.next();
  return JSON.parse(value ?? "{}");
}

type Flooded = Pick<ClusterTarget, "url" | "caCertificate"> & Partial<Pick<ClusterTarget, "certificate">>;

function spawnFlood(
  { url, caCertificate: ca, certificate }: Flooded,
  how: Pick<FloodTask, "connections" | "seconds">,
): { readonly child: ChildProcess; readonly lines: AsyncIterator<string> } {
  const script = join(import.meta.dirname, "flood-task.ts");
  const child = spawn(process.execPath, ["--conditions=kubewright-source", "--import=tsx", script], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin.end(JSON.stringify({ url, ca, certificate, ...how } satisfies FloodTask));
  return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() };
}
