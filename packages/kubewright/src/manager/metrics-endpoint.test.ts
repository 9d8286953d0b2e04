import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CertificateAuthority } from "@kubewright/core/certificates";
import { FakeClock } from "@kubewright/core/clock";
import { silentLogger } from "@kubewright/core/log";
import { expect, test } from "vitest";
import { type ScriptedResponse, ScriptedTransport } from "../../test/scripted-transport.js";
import { createClient } from "../client/index.js";
import { listenMetrics, type SecureMetricsOptions } from "./metrics-endpoint.js";

const metrics = { text: async () => "up 1\n", contentType: "text/plain" };

interface Reply {
  readonly status: number;
  readonly body: string;
  readonly issuer: string;
}

function ask(port: number, path: string, token?: string): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const sent = request({ port, path, headers, rejectUnauthorized: false, agent: false }, (response) => {
      const { socket } = response as unknown as { socket: import("node:tls").TLSSocket };
      const issuer = String(socket.getPeerCertificate().issuer.CN);
      let body = "";
      response.on("data", (chunk) => {
        body += String(chunk);
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, body, issuer }));
    });
    sent.on("error", reject);
    sent.end();
  });
}

/** A server with two valid tokens: `reader` is allowed to get /metrics, `other` is not. */
async function start(security: SecureMetricsOptions = {}) {
  const clock = new FakeClock();
  const state = { mayRead: true, away: false };
  const reviewed: string[] = [];
  const transport = new ScriptedTransport(({ path, body }): ScriptedResponse | undefined => {
    if (state.away) return undefined;
    const { spec } = body as { spec: { token?: string; user?: string; nonResourceAttributes?: object } };
    reviewed.push(path.split("/").at(-1) ?? "");
    if (spec.token !== undefined) {
      const known = ["reader", "other"].includes(spec.token);
      return { body: { status: { authenticated: known, user: { username: spec.token, groups: ["g"] } } } };
    }
    const asked = JSON.stringify(spec.nonResourceAttributes) === '{"verb":"get","path":"/metrics"}';
    return { body: { status: { allowed: asked && spec.user === "reader" && state.mayRead } } };
  });
  const client = createClient(transport);
  const logged: string[] = [];
  const logger = { ...silentLogger, error: (_: unknown, message: string) => void logged.push(message) };
  const endpoint = await listenMetrics("127.0.0.1:0", metrics, { security, client, logger, clock });
  return { clock, state, reviewed, logged, port: endpoint.port, [Symbol.asyncDispose]: () => endpoint.close() };
}

test("secure metrics require access to /metrics; other requests get 401 or 403 without details", async () => {
  await using server = await start();
  expect(await ask(server.port, "/metrics", "reader")).toMatchObject({ status: 200, body: "up 1\n" });
  expect(await ask(server.port, "/metrics")).toMatchObject({ status: 401, body: "Unauthorized\n" });
  expect(await ask(server.port, "/metrics", "stranger")).toMatchObject({ status: 401 });
  expect(await ask(server.port, "/metrics", "other")).toMatchObject({
    status: 403,
    body: "Authorization denied for user other\n",
  });
  expect(await ask(server.port, "/else", "reader")).toMatchObject({ status: 403 });
  expect(await ask(server.port, "/else")).toMatchObject({ status: 401 });
});

test("reviews are cached, concurrent requests share one review, and an unreachable API server returns 500", async () => {
  await using server = await start();
  const { clock, state, reviewed, port } = server;
  await Promise.all([1, 2, 3].map(() => ask(port, "/metrics", "reader")));
  expect(reviewed).toEqual(["tokenreviews", "subjectaccessreviews"]);
  state.mayRead = false;
  clock.advance(60_000);
  expect((await ask(port, "/metrics", "reader")).status).toBe(200);
  expect(reviewed).toEqual(["tokenreviews", "subjectaccessreviews", "tokenreviews"]);
  clock.advance(240_000);
  expect((await ask(port, "/metrics", "reader")).status).toBe(403);
  state.mayRead = true;
  expect((await ask(port, "/metrics", "reader")).status).toBe(403);
  clock.advance(30_000);
  expect((await ask(port, "/metrics", "reader")).status).toBe(200);
  state.away = true;
  expect((await ask(port, "/metrics", "unknown")).status).toBe(500);
  state.away = false;
  expect((await ask(port, "/metrics", "unknown")).status).toBe(401);
});

test("the certificate in certDir is served and reloaded on rotation; an invalid one is ignored", async () => {
  const folder = await mkdtemp(join(tmpdir(), "kubewright-metrics-"));
  const write = async (name: string): Promise<void> => {
    const { certificate, privateKey } = new CertificateAuthority(name).issueServer("localhost", ["localhost"]);
    await writeFile(join(folder, "tls.crt"), certificate);
    await writeFile(join(folder, "tls.key"), privateKey);
  };
  const options = { certDir: folder, authorize: false };
  await expect(start(options)).rejects.toThrow("Cannot read the certificate in");
  await write("first");
  {
    await using server = await start(options);
    const issuer = async (): Promise<string> => (await ask(server.port, "/metrics")).issuer;
    expect(await issuer()).toBe("first");
    await write("second");
    server.clock.advance(10_000);
    while ((await issuer()) !== "second");
    await writeFile(join(folder, "tls.key"), "broken");
    server.clock.advance(10_000);
    while (server.logged.length === 0) await issuer();
    expect(server.logged).toEqual(["Cannot use the new certificate, keeping the old one"]);
    expect(await issuer()).toBe("second");
  }
  await rm(folder, { recursive: true });
});
