import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { createMetrics } from "../src/metrics/index.js";

const docs = fileURLToPath(new URL("../../../docs/", import.meta.url));

/** The names of all series that an operator can serve. */
async function servedNames(): Promise<ReadonlySet<string>> {
  const metrics = await createMetrics();
  metrics.controller("a", 1);
  metrics.watchCaches(() => []);
  metrics.watchConditions(() => []);
  metrics.watchLeader("a", () => true);
  metrics.watchShards("a", () => 1);
  const types = [...(await metrics.text()).matchAll(/^# TYPE (\S+) (\S+)$/gm)];
  return new Set(
    types.flatMap(([, name = "", type]) =>
      type === "histogram" ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  );
}

/** The names of series in PromQL: what is neither a function, a keyword, a label list nor a string. */
function namesIn(expression: string): readonly string[] {
  const bare = expression
    .replace(/"[^"]*"/g, "")
    .replace(/\b(by|without|on|ignoring)\s*\([^)]*\)/g, "")
    .replace(/\{[^}]*\}|\[[^\]]*\]/g, "");
  return [...bare.matchAll(/[a-z_][a-z0-9_]*(?!\w*\s*\()/g)].map(([name]) => name).filter((name) => name.includes("_"));
}

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly runbook_url: string };
}

const alerts: readonly Alert[] = parse(readFileSync(`${docs}monitoring/alerts.yaml`, "utf8")).spec.groups.flatMap(
  ({ rules }: { readonly rules: readonly Alert[] }) => rules,
);
const dashboard: { panels: { title: string; targets: { expr: string }[] }[] } = JSON.parse(
  readFileSync(`${docs}monitoring/dashboard.json`, "utf8"),
);

test("the names of series are found in PromQL", () => {
  const expression =
    'histogram_quantile(0.9, sum by (job_name, le) (rate(a_b_bucket{x_y="z_z"}[5m]))) / max(c_d) on (e_f) > 1';
  expect(namesIn(expression)).toEqual(["a_b_bucket", "c_d"]);
});

test("alert rules and dashboard use only metrics that an operator serves", async () => {
  const served = await servedNames();
  const expressions = [
    ...alerts.map(({ expr }) => expr),
    ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ];
  expect(expressions.length).toBeGreaterThan(20);
  for (const expression of expressions) {
    const names = namesIn(expression);
    expect(names.length, expression).toBeGreaterThan(0);
    expect(names.filter((name) => !served.has(name))).toEqual([]);
  }
});

test("every alert has a runbook page with its expression, and every page an alert", () => {
  const pages = readdirSync(`${docs}runbooks`).filter((file) => file !== "README.md");
  const linked = alerts.map(({ annotations }) => annotations.runbook_url.replace(/^.*\/docs\/runbooks\//, ""));
  expect(pages.sort()).toEqual(linked.sort());
  for (const { alert, expr, annotations } of alerts) {
    const page = readFileSync(`${docs}runbooks/${annotations.runbook_url.replace(/^.*\//, "")}`, "utf8");
    expect(page.startsWith(`# ${alert}\n`)).toBe(true);
    expect(page).toContain(expr);
  }
});

test("the guide lists every metric of the framework's own", async () => {
  const guide = readFileSync(`${docs}guides/running.md`, "utf8");
  const own = [...(await servedNames())].filter((name) => name.startsWith("kubewright_"));
  expect(own.filter((name) => !guide.includes(`\`${name}\``))).toEqual([]);
});
