import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { packageNames, publishedName } from "../build/package-names.js";

// Workflows cannot run here. What they consist of can be checked: every command is an npm script, which can run anywhere.
const root = join(import.meta.dirname, "..", "..");
const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  readonly scripts: Readonly<Record<string, string>>;
};

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Workflow {
  readonly on: unknown;
  readonly permissions: unknown;
  readonly jobs: Readonly<
    Record<string, { readonly strategy?: { readonly matrix: unknown }; readonly steps: readonly Step[] }>
  >;
}

function read(...path: readonly string[]): unknown {
  return parse(readFileSync(join(root, ".github", ...path), "utf8"));
}

const workflows = readdirSync(join(root, ".github", "workflows"));

test.each(workflows)("%s runs npm scripts that exist, with pinned actions and read-only permissions", (file) => {
  const workflow = read("workflows", file) as Workflow;
  expect(workflow.on).toBeDefined();
  expect(workflow.permissions).toEqual({ contents: "read" });
  const steps = Object.values(workflow.jobs).flatMap((job) => job.steps);
  const actions = steps.flatMap(({ uses }) => uses ?? []);
  expect(actions.filter((action) => !/^[\w-]+\/[\w-]+@(v\d+|[0-9a-f]{40})$/.test(action))).toEqual([]);
  // changesets/action takes its commands as inputs.
  const commands = steps.flatMap(({ run, with: inputs = {} }) => [run, inputs["version"], inputs["publish"]]);
  const called = commands.filter((command) => command !== undefined).map(String);
  expect(called.length).toBeGreaterThan(0);
  for (const command of called) {
    const [, name] = /^npm (?:run )?([\w:]+)$/.exec(command) ?? [];
    expect(scripts, `${file} runs "${command}"`).toHaveProperty([name ?? command]);
  }
});

test("CI tests every supported Node on every platform, and the real ring", () => {
  const { jobs } = read("workflows", "ci.yml") as Workflow;
  expect(jobs["test"]?.strategy?.matrix).toEqual({
    os: ["ubuntu-latest", "macos-latest", "windows-latest"],
    node: ["20.19", "22", "24"],
  });
  expect(jobs["real"]?.steps.map(({ run }) => run)).toContain("npm run test:real");
});

test("issue forms have a name, a description and fields", () => {
  const forms = readdirSync(join(root, ".github", "ISSUE_TEMPLATE")).filter((file) => file !== "config.yml");
  expect(forms.length).toBeGreaterThan(0);
  for (const form of forms) {
    expect(read("ISSUE_TEMPLATE", form)).toMatchObject({
      name: expect.any(String),
      description: expect.any(String),
      body: expect.arrayContaining([expect.objectContaining({ type: "textarea" })]),
    });
  }
});

test("changesets give all published packages one version", () => {
  const { fixed } = JSON.parse(readFileSync(join(root, ".changeset", "config.json"), "utf8")) as {
    readonly fixed: readonly (readonly string[])[];
  };
  expect(fixed).toEqual([packageNames.map(publishedName)]);
});
