/**
 * `npm run conformance`: compares every recorded case and many random requests live, on a real control plane and the embedded cluster.
 *
 * Options: `--seed N` (default: from the time, printed), `--requests N` (20000), `--objects N` (10000, for definitions), `--cases-only`,
 * `--fuzz-only`, `--webhooks` (random webhook configurations in every random case), `--definitions-only`, `--controllers` (also runs the scenarios, on a separate control plane; takes minutes), `-o json`, and
 * names of subjects to run only those. Exits with 1 on a difference that is not known.
 */
import { parseArgs } from "node:util";
import { compareFuzz, compareSubjects } from "./compare-live.js";
import { type LiveResult, resultTable, total } from "./live-report.js";
import { subjects } from "./requests/index.js";
import { rulesSubject } from "./rules/index.js";
import { startLiveServers } from "./servers/live-servers.js";
import { byProfile } from "./servers/server-profiles.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: "string" },
    requests: { type: "string", default: "20000" },
    "cases-only": { type: "boolean", default: false },
    "fuzz-only": { type: "boolean", default: false },
    webhooks: { type: "boolean", default: false },
    "definitions-only": { type: "boolean", default: false },
    controllers: { type: "boolean", default: false },
    objects: { type: "string", default: "10000" },
    output: { type: "string", short: "o", default: "table" },
  },
});
const seed = Number(values.seed ?? Math.floor(Date.now() / 1_000));
const requests = Number(values.requests);
const objects = Number(values.objects);
if (![seed, requests, objects].every(Number.isSafeInteger))
  throw new TypeError("Cannot run the comparison: --seed, --requests and --objects must be integers");

const startedMs = performance.now();
let lastMs = 0;
/** Prints progress to stderr: on a terminal one line that is overwritten, otherwise a line every 10 s. Results go to stdout. */
function progress(text: string, isLast = false): void {
  const nowMs = performance.now();
  const isDue = isLast || nowMs - lastMs >= (process.stderr.isTTY ? 100 : 10_000);
  if (!isDue) return;
  lastMs = nowMs;
  const line = `${text} (${Math.round((nowMs - startedMs) / 1_000)} s)`;
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${line}${isLast ? "\n" : ""}`);
  else process.stderr.write(`${line}\n`);
}

await using servers = await startLiveServers();
progress("Both servers run", true);
const parts: LiveResult[] = [];
if (!values["fuzz-only"] && !values["definitions-only"]) {
  const chosen = [...subjects, rulesSubject].filter(
    ({ name }) => positionals.length === 0 || positionals.includes(name),
  );
  for (const [profile, own] of byProfile(chosen)) {
    if (profile === "plain") parts.push(await compareSubjects(servers.clients, own));
    else {
      await using others = await startLiveServers(profile);
      parts.push(await compareSubjects(others.clients, own));
    }
  }
  progress(`${chosen.reduce((all, { cases }) => all + cases.length, 0)} cases compared`, true);
}
if (!values["cases-only"] && !values["definitions-only"] && positionals.length === 0) {
  progress(`Random requests with seed ${seed}`, true);
  const onProgress = (count: number): void => progress(`${count} of ${requests} random requests compared`);
  parts.push(
    await compareFuzz(servers.clients, { seed, requests, kinds: 8, webhooks: values.webhooks }, { onProgress }),
  );
  progress(`${requests} random requests compared, seed ${seed}`, true);
}
if (!values["cases-only"] && !values["fuzz-only"] && positionals.length === 0) {
  const { compareDefinitions } = await import("./definitions/index.js");
  parts.push(await compareDefinitions({ seed, objects, onProgress: progress }));
}
if (values.controllers) {
  const { compareScenarios, scenarioAreas } = await import("./controllers/index.js");
  parts.push(await compareScenarios(scenarioAreas, progress));
}
const areas = parts.flatMap((part) => part.areas);
const unexplained = parts.flatMap((part) => part.unexplained);
const all = total(areas);
if (values.output === "json")
  process.stdout.write(`${JSON.stringify({ seed, areas, total: all, unexplained }, undefined, 2)}\n`);
else process.stdout.write(`${[...unexplained, resultTable(areas)].join("\n\n")}\n`);
if (all.unexplained > 0) process.exitCode = 1;
