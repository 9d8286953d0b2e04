import { spawn } from "node:child_process";
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

/**
 * The 99th percentile of one user's response times while another user floods the server over 200 connections, beside that of an idle server. Goal: at
 * most five times.
 */
export async function measureFlood(): Promise<Comparison[]> {
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
      return [{ name, unit: "ms", ours: flooded, theirs: idle, moreIsBetter: false, goal: 0.2 }];
    } finally {
      await target.stop();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
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
async function startFlood({ url, caCertificate: ca, certificate }: ClusterTarget): Promise<() => void> {
  const script = join(import.meta.dirname, "flood-task.ts");
  const child = spawn(process.execPath, ["--conditions=kubewright-source", "--import=tsx", script], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin.end(JSON.stringify({ url, ca, certificate, connections } satisfies FloodTask));
  await new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).once("line", resolve);
    child.once("exit", (code) => reject(new Error(`The flood exited with ${code}`)));
  });
  return () => child.kill("SIGKILL");
}
