import { startLiveServers } from "./conformance/servers/live-servers.js";
import { compareFuzz } from "./conformance/compare-live.js";
import { resultTable } from "./conformance/live-report.js";
await using servers = await startLiveServers();
const [seed, requests] = [Number(process.argv[2] ?? 7), Number(process.argv[3] ?? 1000)];
const t = performance.now();
const r = await compareFuzz(servers.clients, { seed, requests, kinds: 16 }, { shown: 12 });
for (const u of r.unexplained) console.log("#### " + u.slice(0, 3500));
console.log(resultTable(r.areas), ((performance.now() - t) / 1000).toFixed(0) + " s");
