/**
 * `npm run test:kill [-- --kills N]`: kills a server with a data directory at random moments under load, 200 times by default, and checks
 * after each kill that every acknowledged write is stored. Uses the loopback interface only.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { killLoop } from "./kill-loop.js";

const { values } = parseArgs({ options: { kills: { type: "string", default: "200" } } });
const kills = Number(values.kills);
const folder = mkdtempSync(join(tmpdir(), "kubewright-kill-"));
try {
  const { acknowledged, unknown, problems } = await killLoop({
    folder: join(folder, "data"),
    kills,
    writers: 8,
    maxLoadMs: 400,
    random: Math.random,
    onKill({ kills: done, acknowledged: count, problems: found }) {
      if (done % 20 === 0) console.log(`${done} kills, ${count} acknowledged writes, ${found.length} problems`);
    },
  });
  for (const problem of problems) console.error(problem);
  console.log(
    `${kills} kills: ${acknowledged} acknowledged writes, ${unknown} without a response, ${problems.length} problems`,
  );
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true });
}
