/**
 * Runs the same kubectl and helm command lines on a real control plane and on the embedded cluster: output and exit codes are equal except for
 * known differences. Neither has workload controllers, so that the output is deterministic.
 */
import { startCluster } from "@kubewright/cluster";
import { kubeconfigText, startControlPlane } from "@kubewright/testing/control-plane";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { commandDifferences } from "../known-differences.js";
import type { Chapter } from "./chapter.js";
import { chapters, firstChapter } from "./chapters/index.js";
import { CommandLine } from "./command-line.js";
import { CommandPair } from "./command-pair.js";

const kubectl = process.env["KUBEWRIGHT_KUBECTL"] ?? "";
const helm = process.env["KUBEWRIGHT_HELM"] ?? "";
if (kubectl === "") throw new Error("Cannot test with kubectl: set KUBEWRIGHT_KUBECTL to the path of its binary");

/** A real control plane and the embedded cluster, each with its own shell. */
interface Servers extends AsyncDisposable {
  readonly pair: CommandPair;
}

async function startServers(): Promise<Servers> {
  const [cluster, plane] = await Promise.all([
    startCluster(),
    startControlPlane({
      controllerManager: ["clusterrole-aggregation-controller", "garbage-collector-controller", "namespace-controller"],
    }),
  ]);
  const real = await CommandLine.in(kubeconfigText(plane, plane.certificateUser("admin", "system:masters")));
  const ours = await CommandLine.in((await cluster.listen()).kubeconfig);
  for (const line of [real, ours]) {
    await line.install("kubectl", kubectl);
    if (helm !== "") await line.install("helm", helm);
  }
  return {
    pair: new CommandPair(real, ours),
    async [Symbol.asyncDispose]() {
      await Promise.all([real.close(), ours.close()]);
      await Promise.all([cluster.close(), plane.stop()]);
    },
  };
}

let servers: Servers;
beforeAll(async () => {
  servers = await startServers();
});
afterAll(() => servers[Symbol.asyncDispose]());

/** The result of a chapter: commands that differ, and listed ones that do not. */
interface Verdict {
  readonly found: readonly { readonly command: string; readonly real: string; readonly ours: string }[];
  readonly noLonger: readonly string[];
}

async function play({ pair }: Servers, chapter: Chapter): Promise<Verdict> {
  const compared = await pair.play(chapter);
  const found: { readonly command: string; readonly real: string; readonly ours: string }[] = [];
  const noLonger: string[] = [];
  for (const one of compared) {
    const known = commandDifferences.find(({ commands }) => commands[chapter.name]?.includes(one.command));
    if (known === undefined) {
      if (one.real !== one.ours) found.push(one);
    } else if (one.real === one.ours) noLonger.push(one.command);
    else if (known.lines) {
      const [real, ours] = [without(one.real, known.lines), without(one.ours, known.lines)];
      if (real !== ours) found.push({ command: one.command, real, ours });
    }
  }
  return { found, noLonger };
}

async function compare(chapter: Chapter): Promise<void> {
  let verdict = await play(servers, chapter);
  if (verdict.found.length > 0 || verdict.noLonger.length > 0) {
    // On a loaded machine the difference may be a timing issue: repeat on new servers.
    await using own = await startServers();
    verdict = await play(own, chapter);
  }
  expect(outputs(verdict.found, "ours")).toBe(outputs(verdict.found, "real"));
  expect(verdict.noLonger, "these no longer differ: remove them from known-differences.ts").toEqual([]);
}

function without(text: string, lines: RegExp): string {
  return text
    .split("\n")
    .filter((line) => !lines.test(line))
    .join("\n");
}

function outputs<Side extends "real" | "ours">(
  found: readonly ({ readonly command: string } & Readonly<Record<Side, string>>)[],
  side: Side,
): string {
  return found.map((one) => `$ ${one.command}\n${one[side]}`).join("\n");
}

test("known differences name existing commands", () => {
  const there = new Map([firstChapter, ...chapters].map((one) => [one.name, one.commands]));
  const listed = commandDifferences.flatMap(({ commands }) => Object.entries(commands));
  expect(listed.flatMap(([name, own]) => own.filter((command) => !there.get(name)?.includes(command)))).toEqual([]);
});

test("discovery", () => compare(firstChapter));

// Concurrent, because most of the time is spent waiting for timeouts.
describe.concurrent("chapters", () => {
  for (const chapter of chapters)
    test.skipIf(chapter.name === "helm" && helm === "")(chapter.name, { timeout: 400_000 }, () => compare(chapter));
});
