/** Containers on a real node, through kubectl: the same on the embedded control plane and on the real one. */
import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import {
  installedNodePrograms,
  missingForRealNode,
  type NodePlace,
  nodeImage,
  placeRealNode,
  type RealNode,
} from "@kubewright/cluster/real-node";
import { silentLogger } from "@kubewright/core/log";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startEmbeddedPlane } from "./embedded-plane.js";
import type { JoinablePlane } from "./joinable-plane.js";
import { manifests } from "./manifests.js";
import { listProgram, webProgram } from "./programs.js";
import { startRealPlane } from "./real-plane.js";

const missing = missingForRealNode(installedNodePrograms());
if (missing.length > 0)
  process.stderr.write(
    `SKIPPED: no real node runs on this machine. Missing:\n${missing.map((one) => `  - ${one}\n`).join("")}`,
  );

const kubectl = process.env["KUBEWRIGHT_KUBECTL"] ?? "";

const planes = [
  ["the embedded control plane", startEmbeddedPlane],
  ["the real control plane", startRealPlane],
] as const;

describe.skipIf(missing.length > 0).each(planes)("a real node on %s", (_, startPlane) => {
  let place: NodePlace;
  let plane: JoinablePlane;
  let node: RealNode | undefined;
  let folder: string;
  let environment: Record<string, string>;

  const run = async (command: string): Promise<string> => {
    const { stdout } = await promisify(execFile)(kubectl, command.split(" "), { env: environment, timeout: 90_000 });
    return stdout.trim();
  };
  const podOf = async (app: string): Promise<string> =>
    (await run(`get pods -l app=${app} -o name`)).split("\n")[0]?.slice("pod/".length) ?? "";

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "kubewright-node-"));
    place = await placeRealNode(installedNodePrograms());
    plane = await startPlane(place);
    node = await place.start({ name: "real", logger: silentLogger, ...plane });
    await node.importImage(await nodeImage({ name: "example.com/web:1", program: webProgram }));
    await node.importImage(await nodeImage({ name: "example.com/list:1", program: listProgram }));
    await writeFile(join(folder, "kubeconfig"), plane.kubeconfig);
    await writeFile(join(folder, "manifests.yaml"), manifests);
    environment = { PATH: process.env["PATH"] ?? "", HOME: folder, KUBECONFIG: join(folder, "kubeconfig") };
    await run(`apply -f ${join(folder, "manifests.yaml")}`);
    await run("rollout status deployment/web --timeout=90s");
  }, 180_000);

  afterAll(async () => {
    await (node === undefined ? place?.remove() : node.stop());
    await plane?.stop();
    await rm(folder, { recursive: true });
  });

  test("a Service reaches ready pods, whose volumes have the values of their ConfigMap", async () => {
    expect(await run("get --raw /api/v1/namespaces/default/services/web/proxy/")).toMatch(/^web-\S+ hello$/);
  });

  test("a Job completes, and its log is read", async () => {
    await run("wait --for=condition=complete job/once --timeout=60s");
    expect(await run("logs job/once")).toBe("done");
  });

  test("a pod lists pods with its projected token, through the Service kubernetes", async () => {
    await run("wait --for=condition=complete job/in-cluster --timeout=60s");
    expect(await run("logs job/in-cluster")).toBe("200 PodList");
  });

  test("kubectl follows a log, with previous lines and timestamps", async () => {
    const follower = spawn(kubectl, ["logs", "-f", "--timestamps", await podOf("web")], { env: environment });
    const seen: string[] = [];
    for await (const line of createInterface({ input: follower.stdout })) {
      seen.push(line);
      if (seen.length === 3) break;
    }
    follower.kill();
    expect(seen[0]).toMatch(/^\d{4}-\d{2}-\d{2}T\S+Z listening$/);
    expect(seen.slice(1).map((line) => line.split(" ").slice(1).join(" "))).toEqual(["tick 1", "tick 2"]);
  });

  test("kubectl runs a command in a container, with its standard input", async () => {
    const pod = await podOf("web");
    expect(await run(`exec ${pod} -- /usr/local/bin/node /app/main.mjs echo a b`)).toBe("a b");
    const child = spawn(kubectl, ["exec", "-i", pod, "--", "/usr/local/bin/node", "/app/main.mjs", "upper"], {
      env: environment,
    });
    child.stdin.end("quiet");
    let text = "";
    for await (const chunk of child.stdout) text += String(chunk);
    expect(text).toBe("QUIET");
  });

  test("kubectl reports the exit code of a command", async () => {
    const command = `exec ${await podOf("web")} -- /usr/local/bin/node -e process.exit(7)`;
    await expect(run(command)).rejects.toMatchObject({ code: 7 });
  });

  test("kubectl forwards a port to a pod", async () => {
    const forward = spawn(kubectl, ["port-forward", await podOf("web"), ":8080"], { env: environment });
    let port = "";
    for await (const line of createInterface({ input: forward.stdout })) {
      port = /127\.0\.0\.1:(\d+)/.exec(line)?.[1] ?? "";
      if (port !== "") break;
    }
    const text = await (await fetch(`http://127.0.0.1:${port}/`)).text();
    forward.kill();
    expect(text).toMatch(/^web-\S+ hello$/);
  });

  test("a Deployment is scaled, and rolled out without a pod too many", async () => {
    await run("scale deployment/web --replicas=4");
    await run("rollout status deployment/web --timeout=60s");
    await run("set env deployment/web COLOUR=green");
    await run("rollout status deployment/web --timeout=90s");
    const images = await run("get pods -l app=web -o jsonpath={.items[*].spec.containers[0].env[0].value}");
    expect(images.split(" ").filter((value) => value === "green")).toHaveLength(4);
  });

  test("a container that is killed is started again", async () => {
    const pod = await podOf("agent");
    await run(`exec ${pod} -- /usr/local/bin/node -e process.kill(1,"SIGTERM")`).catch(() => "");
    await run(`wait --for=jsonpath={.status.containerStatuses[0].restartCount}=1 pod/${pod} --timeout=60s`);
    await run(`wait --for=condition=Ready pod/${pod} --timeout=60s`);
    expect(await run(`logs --previous ${pod}`)).toContain("listening");
  });

  test("a deleted pod gets its grace period, and is gone", async () => {
    await run("delete daemonset/agent --wait=true --timeout=60s");
    await run("wait --for=delete pod -l app=agent --timeout=60s");
    expect(await run("get pods -l app=agent -o name")).toBe("");
  });

  test("a stopped node leaves nothing on the machine", async () => {
    await node?.stop();
    node = { ...(node as RealNode), stop: async () => {} };
    expect(existsSync(node.logFolder)).toBe(false);
    const { stdout: namespaces } = await promisify(execFile)("ip", ["netns", "list"]);
    expect(namespaces).not.toContain("kubewright-");
  });
});
