/**
 * The first hour of a new user: docs/getting-started.md, in an empty home directory, with the published packages.
 *
 * The packages come from a registry on loopback. Every shell command of the page's sections 1 to 5 is run, in its order, except those that need a
 * container engine.
 */
import { type ChildProcess, spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { startControlPlane } from "@kubewright/testing/control-plane";
import { connect } from "kubewright";
import { Deployment } from "kubewright/k8s/apps/v1";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { packageNames } from "../build/package-names.js";
import { codeBlocks } from "../docs/markdown-code.js";
import { NpmRegistry } from "./npm-registry.js";
import { npm, runProgram } from "./run-program.js";

const root = join(import.meta.dirname, "..", "..");
const home = mkdtempSync(join(tmpdir(), "kubewright-first-hour-"));
let registry: NpmRegistry;

/** Nothing of the user and of the npm that runs this test; a shell, Node, npm and kubectl. */
function environment(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const kubectl = process.env["KUBEWRIGHT_KUBECTL"];
  if (kubectl === undefined) throw new Error("KUBEWRIGHT_KUBECTL is not set: run this test with npm run test:real");
  const { PATH = "", NODE_EXTRA_CA_CERTS: ca } = process.env;
  return {
    PATH: [dirname(kubectl), PATH].join(delimiter),
    HOME: home,
    npm_config_registry: registry.url,
    npm_config_audit: "false",
    npm_config_fund: "false",
    ...(ca !== undefined && { NODE_EXTRA_CA_CERTS: ca }),
    ...more,
  };
}

beforeAll(async () => {
  registry = await NpmRegistry.start();
  if (!isBuilt()) {
    const build = await runProgram("npm", ["run", "--silent", "build"], root);
    if (build.status !== 0) throw new Error(`Cannot build the packages: ${build.stdout}${build.stderr}`);
  }
  writeFileSync(join(home, ".npmrc"), `${registry.url.replace("http:", "")}:_authToken=test\n`);
  const workspaces = packageNames.map((name) => `--workspace=packages/${name}`);
  const where = [`--registry=${registry.url}`, `--userconfig=${join(home, ".npmrc")}`];
  await npm(["publish", ...workspaces, ...where, "--provenance=false", "--access=public"], root);
  expect(registry.names.toSorted()).toHaveLength(packageNames.length);
}, 300_000);
afterAll(async () => {
  await registry[Symbol.asyncDispose]();
  rmSync(home, { recursive: true, force: true, maxRetries: 3 });
}, 60_000);

/** Whether every package was built after its last change: `npm run test:packages` builds them too. */
function isBuilt(): boolean {
  return packageNames.every((name) => {
    const folder = join(root, "packages", name);
    const built = statSync(join(folder, "dist", ".npmignore"), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    const sources = readdirSync(join(folder, "src"), { recursive: true, encoding: "utf8" }).map((file) =>
      join("src", file),
    );
    return ["package.json", ...sources].every((file) => statSync(join(folder, file)).mtimeMs <= built);
  });
}

/** Runs a command of the page as a user does, and returns what it printed. */
async function shell(command: string, cwd: string, more: NodeJS.ProcessEnv = {}): Promise<string> {
  const child = spawn("bash", ["-euo", "pipefail", "-c", command], {
    cwd,
    env: environment(more),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (part) => (output += part));
  const status = await new Promise((resolve) => child.once("close", resolve));
  if (status !== 0) throw new Error(`"${command}" ended with ${String(status)}:\n${output}`);
  return output;
}

/** A command that runs until it is ended. */
class Running implements AsyncDisposable {
  output = "";
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  #wake = (): void => {};

  constructor(command: string, cwd: string) {
    // A group of its own, so that npm's child gets the signal too, as by Ctrl-C.
    this.#child = spawn("bash", ["-c", command], {
      cwd,
      env: environment(),
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.setEncoding("utf8").on("data", (part) => {
        this.output += part;
        this.#wake();
      });
    this.#ended = new Promise((resolve) => this.#child.once("close", resolve)).then(() => this.#wake());
  }

  /** Resolves when the output matches. Rejects when the command ends before. */
  async until(pattern: RegExp): Promise<void> {
    while (!pattern.test(this.output)) {
      if (this.#child.exitCode !== null) throw new Error(`It ended before ${String(pattern)}:\n${this.output}`);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { pid, exitCode } = this.#child;
    if (pid !== undefined && exitCode === null) process.kill(-pid, "SIGINT");
    await this.#ended;
  }
}

/** The shell commands of sections 1 to 5 of the page, one string each; a here document is part of its command. */
function commandsOfPage(): string[] {
  const page = readFileSync(join(root, "docs", "getting-started.md"), "utf8");
  const sections = page.slice(page.indexOf("## 1."), page.indexOf("## What goes wrong"));
  return codeBlocks(sections)
    .filter(({ info }) => info === "sh")
    .flatMap(({ code }) => code.trim().match(/.*<<EOF\n[\s\S]*?\nEOF|.+/g) ?? []);
}

const ready = /Operator website-operator runs on .*, ready in \d+ ms/;
const applied = /Website default\/first +run 1 .*\n +apply +ConfigMap default\/first +created/;

test("every command of the getting-started page works in an empty home, on the embedded and on a real cluster", async () => {
  const started = performance.now();
  const where = { folder: home, kubeconfig: "" };
  let dev: Running | undefined;
  onTestFinished(() => dev?.[Symbol.asyncDispose]());
  let deploy = "";
  const ran: string[] = [];
  const inFolder = (command: string): Promise<string> =>
    shell(command, where.folder, where.kubeconfig === "" ? {} : { KUBECONFIG: where.kubeconfig });
  for (const command of commandsOfPage()) {
    if (command.startsWith("docker ")) continue;
    ran.push(command);
    if (command.startsWith("cd ")) where.folder = join(where.folder, command.slice(3));
    else if (command === "npm run dev") {
      dev = new Running(command, where.folder);
      await dev.until(ready);
    } else if (command.startsWith("export KUBECONFIG="))
      where.kubeconfig = join(where.folder, command.slice("export KUBECONFIG=".length));
    else if (command.startsWith("kubectl apply")) {
      await inFolder(command);
      await dev?.until(applied);
      console.log(`From nothing to the first reconcile, cold npm cache: ${seconds(started)} s`);
    } else if (command.startsWith("kubectl get"))
      expect(await inFolder(command)).toMatch(/website\.web\.example\.com\/first[\s\S]*configmap\/first/);
    else if (command.includes("kubewright deploy")) {
      deploy = command;
      const output = await inFolder(command);
      expect(output).toMatch(/deployment\.apps\/website-operator created\n/);
      expect(output).toContain("1 of 1 replicas available");
      expect(output).toContain("no container runs");
    } else await inFolder(command);
  }
  expect(ran.length).toBeGreaterThanOrEqual(8);
  for (const what of [
    /^npm create kubewright/,
    /^npm install/,
    /^npm test/,
    /^npm run dev/,
    /^kubectl apply/,
    /kubewright deploy/,
  ])
    expect(
      ran.some((command) => what.test(command)),
      String(what),
    ).toBe(true);
  await onRealCluster(deploy, where.folder);
}, 300_000);

/** `deploy` on a real API server. No node runs containers there: the test reports the Deployment as available, as its controller would. */
async function onRealCluster(command: string, folder: string): Promise<void> {
  const plane = await startControlPlane();
  try {
    const kubeconfig = plane.kubeconfigFile(plane.admin);
    await using client = await connect({ kubeconfig });
    const deployed = shell(command, folder, { KUBECONFIG: kubeconfig });
    const key = { namespace: "website-operator-system", name: "website-operator" };
    for await (const event of await client.watch(Deployment, { namespace: key.namespace })) {
      if (event.type !== "ADDED") continue;
      const { object } = event;
      const status = {
        observedGeneration: object.metadata.generation,
        replicas: 1,
        updatedReplicas: 1,
        readyReplicas: 1,
        availableReplicas: 1,
      };
      await client.patchStatus(Deployment, key, { merge: { status } });
      break;
    }
    const output = await deployed;
    expect(output).toContain("deployment.apps/website-operator created\n");
    expect(output).toContain("1 of 1 replicas available");
    expect(output).not.toContain("no container runs");
    expect(
      await shell("npx kubewright undeploy && npx kubewright uninstall", folder, { KUBECONFIG: kubeconfig }),
    ).toContain("deleted");
  } finally {
    await plane.stop();
  }
}

test("with a warm npm cache, the first object is reconciled within a minute of nothing", async () => {
  const started = performance.now();
  const folder = join(home, "again");
  mkdirSync(folder);
  const names = "--domain example.com --group web --kind Website";
  await shell(`npm create kubewright@latest website-operator -- ${names}`, folder);
  const project = join(folder, "website-operator");
  await shell("npm install", project);
  await using dev = new Running("npm run dev", project);
  await dev.until(ready);
  const object = {
    apiVersion: "web.example.com/v1alpha1",
    kind: "Website",
    metadata: { name: "first" },
    spec: { message: "hello" },
  };
  writeFileSync(join(project, "first.json"), JSON.stringify(object));
  const kubeconfig = join(project, ".kubewright", "kubeconfig");
  expect(existsSync(kubeconfig)).toBe(true);
  await shell("kubectl apply -f first.json", project, { KUBECONFIG: kubeconfig });
  await dev.until(applied);
  console.log(`From nothing to the first reconcile, warm npm cache: ${seconds(started)} s`);
  expect(seconds(started)).toBeLessThanOrEqual(60);
}, 120_000);

function seconds(since: number): number {
  return Math.round((performance.now() - since) / 100) / 10;
}
