import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { systemClock } from "@kubewright/core/clock";
import { createClient } from "kubewright";
import { ConfigMap } from "kubewright/k8s/core/v1";
import { HttpsTransport, loadConnection } from "kubewright/transport";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runCommand } from "../run-command.js";

let folder: string;
beforeEach(async () => {
  // Inside the repository, so that the project's imports resolve.
  const scratch = join(import.meta.dirname, "..", "..", ".kubewright");
  await mkdir(scratch, { recursive: true });
  folder = await mkdtemp(join(scratch, "dev-"));
  await writeFile(join(folder, "package.json"), "{}\n");
});
afterEach(() => rm(folder, { recursive: true }));

/** Runs `dev` on the project until `stop`, and finds lines of its output by their type. */
function startDev(...flags: string[]) {
  const abort = new AbortController();
  const lines: Record<string, unknown>[] = [];
  let rest = "";
  let wake = (): void => {};
  const out = {
    write: (text: string) => {
      const parts = (rest + text).split("\n");
      rest = parts.pop() ?? "";
      lines.push(...parts.map((line) => JSON.parse(line) as Record<string, unknown>));
      wake();
    },
  };
  const environment = { ...process.env, KUBEWRIGHT_STATE_DIR: join(folder, "state") };
  const err = { write: (text: string) => lines.push({ type: "stderr", text }) };
  const ended = runCommand(["dev", join(folder, "operator.ts"), "-o", "json", ...flags], {
    out,
    err,
    environment,
    signal: abort.signal,
  }).finally(() => wake());
  /** The first line from `from` on that matches. */
  const line = async (matches: (line: Record<string, unknown>) => boolean, from = 0) => {
    for (;;) {
      const found = lines.slice(from).find(matches);
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  return {
    lines,
    line,
    ended,
    stop: async () => {
      abort.abort();
      return ended;
    },
  };
}

const suffixModule = "./suffix.js";
const source = (greeting: string, rest = "") => `
import { controller, defineResource, operator, z } from "kubewright";
import { ConfigMap } from "kubewright/k8s/core/v1";
import { suffix } from "${suffixModule}";

const Greeting = defineResource({
  group: "example.com",
  kind: "Greeting",
  versions: { v1: { spec: z.object({ name: z.string() }) } },
});
const greeter = controller(Greeting, {
  owns: [ConfigMap],
  reconcile: async ({ object, apply }) => {
    const text: string = "${greeting}" + object.spec.name + suffix;
    await apply(ConfigMap, { metadata: { name: object.metadata.name }, data: { text } });
  },
});
export const greetings = operator({ name: "greetings", controllers: [greeter] });
${rest}`;

const isRun = (line: Record<string, unknown>): boolean => line["type"] === "run";

test("dev runs the project, reloads a change of any of its files with synced caches, and keeps the last good version", async () => {
  await writeFile(join(folder, "operator.ts"), source("Hello, "));
  await writeFile(join(folder, "suffix.ts"), 'export const suffix = "!";\n');
  const dev = startDev("--no-type-check");
  const ready = await dev.line(({ type }) => type === "ready" || type === "stderr");
  expect(ready).toMatchObject({ type: "ready", operator: "greetings" });
  const connection = await loadConnection({ kubeconfig: String(ready["kubeconfig"]) });
  const transport = new HttpsTransport(connection, { clock: systemClock });
  const client = createClient(transport);
  const text = async () => (await client.get(ConfigMap, "first")).data?.["text"];
  const kind = await client.kind("example.com/v1/Greeting");
  await client.create(kind, { metadata: { name: "first" }, spec: { name: "world" } } as never);
  expect(await dev.line(isRun)).toMatchObject({ key: "default/first", outcome: { kind: "done" } });
  expect(await text()).toBe("Hello, world!");

  const isReload = ({ type }: Record<string, unknown>): boolean => type === "reloaded" || type === "reloadFailed";
  let from = dev.lines.length;
  await writeFile(join(folder, "suffix.ts"), 'export const suffix = "?";\n');
  expect(await dev.line(isReload, from)).toMatchObject({ type: "reloaded", taken: "replaced", reload: 1 });
  await dev.line(isRun, from);
  expect(await text()).toBe("Hello, world?");

  from = dev.lines.length;
  await writeFile(join(folder, "operator.ts"), `${source("Bye, ")}\nconst = 1;\n`);
  const failed = await dev.line(isReload, from);
  expect(failed).toMatchObject({ type: "reloadFailed" });
  expect(String(failed["message"])).toMatch(/operator\.ts:\d+:\d+: Expected identifier but found "="\n/);
  await client.delete(ConfigMap, "first");
  await dev.line(isRun, from);
  expect(await text()).toBe("Hello, world?");

  from = dev.lines.length;
  await writeFile(join(folder, "operator.ts"), source("Bye, "));
  expect(await dev.line(isReload, from)).toMatchObject({ type: "reloaded" });
  await dev.line(isRun, from);
  expect(await text()).toBe("Bye, world?");
  await transport.close();
  expect(await dev.stop()).toBe(0);
}, 20_000);

const validating = (message: string) => `
import { controller, defineResource, operator, webhooks, z } from "kubewright";

const Greeting = defineResource({
  group: "example.com",
  kind: "Greeting",
  versions: { v1: { spec: z.object({ name: z.string(), mark: z.string().optional() }) } },
});
const admission = webhooks(Greeting, {
  default: (greeting) => { greeting.spec.mark ??= "!"; },
  validate: ({ object, deny }) => { if (object.spec.name === "ghost") deny("spec.name", "${message}"); },
});
const greeter = controller(Greeting, { reconcile: () => {} });
export const greetings = operator({ name: "greetings", controllers: [greeter], webhooks: [admission] });
`;

test("dev calls the operator's webhooks, those of a changed file from the reload on", async () => {
  await writeFile(join(folder, "operator.ts"), validating("no ghosts"));
  const dev = startDev("--no-type-check");
  const ready = await dev.line(({ type }) => type === "ready" || type === "stderr");
  expect(ready).toMatchObject({ type: "ready", operator: "greetings" });
  const connection = await loadConnection({ kubeconfig: String(ready["kubeconfig"]) });
  const transport = new HttpsTransport(connection, { clock: systemClock });
  const client = createClient(transport);
  const kind = await client.kind("example.com/v1/Greeting");
  const create = (name: string) => client.create(kind, { metadata: { name }, spec: { name } } as never);
  expect(await create("world")).toMatchObject({ spec: { name: "world", mark: "!" } });
  await expect(create("ghost")).rejects.toThrow('spec.name: Invalid value: "ghost": no ghosts');
  const from = dev.lines.length;
  await writeFile(join(folder, "operator.ts"), validating("say who"));
  const isReload = ({ type }: Record<string, unknown>): boolean => type === "reloaded" || type === "reloadFailed";
  expect(await dev.line(isReload, from)).toMatchObject({ type: "reloaded" });
  await expect(create("ghost")).rejects.toThrow('spec.name: Invalid value: "ghost": say who');
  await transport.close();
  expect(await dev.stop()).toBe(0);
}, 20_000);

test("dev runs a program with type errors and shows them, until they are repaired", async () => {
  const compilerOptions = { target: "es2023", module: "nodenext", strict: true, types: [], skipLibCheck: true };
  const customConditions = ["kubewright-source"];
  const options = { ...compilerOptions, customConditions };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: options, files: ["types.ts"] }));
  await writeFile(join(folder, "types.ts"), 'export const limit: number = "3";\n');
  await writeFile(join(folder, "suffix.ts"), 'export { limit as suffix } from "./types.js";\n');
  await writeFile(join(folder, "operator.ts"), source("Hello, "));
  const dev = startDev();
  const errors = await dev.line(({ type }) => type === "typeErrors" || type === "stderr");
  expect(errors).toEqual({
    type: "typeErrors",
    message:
      "Type errors (the operator runs):\n  types.ts(1,14): error TS2322: Type 'string' is not assignable to type 'number'.",
  });
  expect(dev.lines).toContainEqual(expect.objectContaining({ type: "ready", operator: "greetings" }));
  await writeFile(join(folder, "types.ts"), "export const limit: number = 3;\n");
  await dev.line(({ type }) => type === "typesRepaired");
  expect(await dev.stop()).toBe(0);
}, 30_000);

test("dev ends when there is no such cluster, although the module is being compiled", async () => {
  await writeFile(join(folder, "operator.ts"), source("Hello, "));
  await writeFile(join(folder, "suffix.ts"), 'export const suffix = "!";\n');
  const main = join(import.meta.dirname, "..", "main.ts");
  const args = ["--conditions=kubewright-source", "--import=tsx", main, "dev", join(folder, "operator.ts")];
  const kubeconfig = join(folder, "missing");
  const ended = promisify(execFile)(process.execPath, [...args, "--kubeconfig", kubeconfig], { timeout: 15_000 });
  await expect(ended).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining(kubeconfig) });
}, 20_000);

test("dev rejects a module without an operator, and one that does not load", async () => {
  await writeFile(join(folder, "operator.ts"), "export const nothing = 1;\n");
  const none = startDev();
  expect(await none.ended).toBe(1);
  expect(none.lines).toMatchObject([{ text: expect.stringContaining("it exports no operator; export what") }]);
  await writeFile(join(folder, "operator.ts"), 'throw new Error("no token");\n');
  const broken = startDev();
  expect(await broken.ended).toBe(1);
  expect(broken.lines).toMatchObject([{ text: expect.stringContaining('operator.ts": no token') }]);
});
