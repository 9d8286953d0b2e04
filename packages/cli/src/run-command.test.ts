import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { get } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parse } from "yaml";
import { runCommand } from "./index.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kubewright-cli-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs a command and stops it at its first output. */
async function run(...args: string[]): Promise<{ code: number; out: string; err: string; atFirstOutput?: unknown }> {
  return runUntil(() => undefined, ...args);
}

async function runUntil(
  look: (out: string) => unknown,
  ...args: string[]
): Promise<{ code: number; out: string; err: string; atFirstOutput?: unknown }> {
  let out = "";
  let err = "";
  let atFirstOutput: unknown;
  const abort = new AbortController();
  const code = await runCommand(args, {
    out: {
      write: async (text) => {
        out += text;
        if (abort.signal.aborted) return;
        atFirstOutput ??= await look(out);
        abort.abort();
      },
    },
    err: { write: (text) => (err += text) },
    signal: abort.signal,
    environment: { KUBEWRIGHT_STATE_DIR: join(folder, "state") },
  });
  return { code, out, err, atFirstOutput };
}

test("cluster start serves an API server for the kubeconfig that it wrote, and removes the file when it stops", async () => {
  const file = join(folder, "sub", "kubeconfig");
  const { code, out, atFirstOutput } = await runUntil(
    async (text) => {
      const { url, kubeconfig } = JSON.parse(text);
      const config = parse(readFileSync(kubeconfig, "utf8"));
      return {
        url,
        server: config.clusters[0].cluster.server,
        status: await healthOf(url, config.clusters[0].cluster),
      };
    },
    "cluster",
    "start",
    "--kubeconfig",
    file,
    "-o",
    "json",
  );
  expect(code).toBe(0);
  expect(atFirstOutput).toEqual({ url: JSON.parse(out).url, server: JSON.parse(out).url, status: 200 });
  expect(existsSync(file)).toBe(false);
});

test("a kubeconfig of the user is never overwritten", async () => {
  const file = join(folder, "config");
  writeFileSync(file, "apiVersion: v1\n");
  const { code, err } = await run("cluster", "start", "--kubeconfig", file);
  expect(code).toBe(1);
  expect(err).toMatch(
    /Cannot write kubeconfig ".*": it contains a configuration of your own; name another file, or use --merge-kubeconfig/,
  );
  expect(readFileSync(file, "utf8")).toBe("apiVersion: v1\n");
});

test("text output shows how to use the cluster", async () => {
  const { out } = await run("cluster", "start", "--kubeconfig", join(folder, "config"));
  expect(out).toMatch(/Kubernetes API server on https:\/\/127\.0\.0\.1:\d+, ready in \d+ ms/);
  expect(out).toContain("export KUBECONFIG=");
});

test.each([
  ["an unknown command", ["nothing"], /unknown command 'nothing'/],
  [
    "an invalid port",
    ["cluster", "start", "--port", "x"],
    /argument 'x' is invalid. It must be a number from 0 to 65535/,
  ],
])("%s exits with 2 and a message", async (_, args, message) => {
  const { code, err } = await run(...args);
  expect(code).toBe(2);
  expect(err).toMatch(message);
});

test("--help shows examples and exits with 0", async () => {
  const { code, out } = await run("cluster", "start", "--help");
  expect(code).toBe(0);
  expect(out).toContain("kubewright cluster start --port 6443");
});

function healthOf(url: string, cluster: { "certificate-authority-data": string }): Promise<number | undefined> {
  const ca = Buffer.from(cluster["certificate-authority-data"], "base64");
  return new Promise((resolve, reject) => {
    get(`${url}/healthz`, { ca, agent: false }, (response) => resolve(response.resume().statusCode)).once(
      "error",
      reject,
    );
  });
}
