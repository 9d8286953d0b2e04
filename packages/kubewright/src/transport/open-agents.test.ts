import { createRequire } from "node:module";
import { expect, test } from "vitest";

test("a connection loads of undici what speaks HTTP, not all of it with fetch, WebSockets and caches", async () => {
  const { openAgents } = await import("./open-agents.js");
  const connection = { server: "https://127.0.0.1:1", namespace: "default", credentials: { kind: "none" } } as const;
  const agents = openAgents(connection, { ca: undefined, credential: {}, responseTimeoutMs: 1_000 });
  await Promise.all([agents.requests.close(), agents.watches.close()]);

  const files = Object.keys(createRequire(import.meta.url).cache).filter((file) => file.includes("/undici/"));
  expect(files.some((file) => file.endsWith("/undici/lib/dispatcher/agent.js"))).toBe(true);
  expect(files.filter((file) => /undici\/(index\.js|lib\/web\/(websocket|cache|cookies))/.test(file))).toEqual([]);
});
