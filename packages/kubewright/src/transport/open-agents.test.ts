import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

// In a separate process: other test files may have loaded all of undici in this one.
test("a connection loads only the HTTP client of undici, not fetch, WebSockets and caches", async () => {
  const script = `
    import { createRequire } from "node:module";
    import { openAgents } from ${JSON.stringify(new URL("open-agents.ts", import.meta.url).href)};
    const connection = { server: "https://127.0.0.1:1", namespace: "default", credentials: { kind: "none" } };
    const agents = openAgents(connection, { ca: undefined, credential: {}, responseTimeoutMs: 1_000 });
    await Promise.all([agents.requests.close(), agents.watches.close()]);
    const files = Object.keys(createRequire(${JSON.stringify(import.meta.url)}).cache);
    console.log(JSON.stringify(files.filter((file) => file.includes("/undici/"))));`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--conditions=kubewright-source", "--import=tsx", "--input-type=module", "--eval", script],
    { cwd: import.meta.dirname, timeout: 30_000 },
  );

  const files: string[] = JSON.parse(stdout);
  expect(files.some((file) => file.endsWith("/undici/lib/dispatcher/agent.js"))).toBe(true);
  expect(files.filter((file) => /undici\/(index\.js|lib\/web\/(websocket|cache|cookies))/.test(file))).toEqual([]);
});
