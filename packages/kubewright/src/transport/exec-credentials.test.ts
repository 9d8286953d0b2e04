import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FakeClock } from "@kubewright/core/clock";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type ExecPlugin, HttpsTransport, type HttpsTransportOptions } from "./index.js";

const apiVersion = "client.authentication.k8s.io/v1";
let folder: string;
const open: (() => Promise<unknown>)[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kubewright-exec-"));
});
afterEach(async () => {
  for (const close of open.splice(0)) await close();
  rmSync(folder, { recursive: true });
});

/** A plugin that runs as a real process: `script` is the body of a module, with `print(status)`. Each run appends a line to `runs`. */
function plugin(script: string, options: Partial<ExecPlugin> = {}): ExecPlugin {
  const file = join(folder, "plugin.mjs");
  writeFileSync(
    file,
    `import { appendFileSync, readFileSync } from "node:fs";
const runs = ${JSON.stringify(join(folder, "runs"))};
appendFileSync(runs, (process.env.KUBERNETES_EXEC_INFO ?? "") + "\\n");
const run = readFileSync(runs, "utf8").trim().split("\\n").length;
const print = (status, more = {}) => console.log(JSON.stringify({ kind: "ExecCredential", apiVersion: ${JSON.stringify(apiVersion)}, status, ...more }));
${script}`,
  );
  return {
    apiVersion,
    command: process.execPath,
    args: [file],
    env: [],
    interactiveMode: "Never",
    provideClusterInfo: false,
    ...options,
  };
}

const runs = (): string[] => readFileSync(join(folder, "runs"), "utf8").trim().split("\n");

async function transportWith(
  exec: ExecPlugin,
  accepts: (request: IncomingMessage) => boolean | Promise<boolean> = () => true,
  options: Partial<HttpsTransportOptions> = {},
): Promise<HttpsTransport> {
  const server = createServer(async (request, response) => {
    const status = (await accepts(request)) ? 200 : 401;
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify({ token: request.headers.authorization ?? null }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const transport = new HttpsTransport(
    {
      server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      caCertificate: "-----BEGIN CERTIFICATE-----",
      tlsServerName: "api",
      credentials: { kind: "exec", plugin: exec },
      namespace: "default",
    },
    { clock: new FakeClock(Date.UTC(2030, 0, 1)), ...options },
  );
  open.push(
    () => transport.close(),
    () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  );
  return transport;
}

const get = { method: "GET", path: "/x" } as const;

test("concurrent requests run the plugin once, and it does not run again until its credentials expire", async () => {
  const clock = new FakeClock(Date.UTC(2030, 0, 1));
  const exec = plugin(`print({ token: "t" + run, expirationTimestamp: "2030-01-01T01:00:00Z" });`);
  const transport = await transportWith(exec, () => true, { clock });
  const responses = await Promise.all(Array.from({ length: 20 }, () => transport.send(get)));
  expect(responses.map(({ body }) => body)).toEqual(Array.from({ length: 20 }, () => ({ token: "Bearer t1" })));
  clock.advance(3_600_000);
  expect((await transport.send(get)).body).toEqual({ token: "Bearer t1" });
  expect(runs()).toHaveLength(1);
  clock.advance(1);
  expect((await transport.send(get)).body).toEqual({ token: "Bearer t2" });
  expect(runs()).toHaveLength(2);
});

test("after a 401 the plugin runs once for all requests, and each request is retried once with the new token", async () => {
  const transport = await transportWith(
    plugin(`print({ token: "t" + run });`),
    ({ headers }) => headers.authorization !== "Bearer t1",
  );
  const responses = await Promise.all(
    Array.from({ length: 10 }, () => transport.send({ method: "POST", path: "/x", body: {} })),
  );
  expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
  expect(runs()).toHaveLength(2);
});

test("a late 401 for a token that was already renewed does not run the plugin again", async () => {
  let renewed = (): void => {};
  const whenRenewed = new Promise<void>((resolve) => {
    renewed = resolve;
  });
  const transport = await transportWith(plugin(`print({ token: "t" + run });`), async ({ url, headers }) => {
    if (headers.authorization !== "Bearer t1") renewed();
    else if (url === "/late") await whenRenewed;
    return headers.authorization !== "Bearer t1";
  });
  const late = transport.send({ method: "GET", path: "/late" });
  expect((await transport.send(get)).body).toEqual({ token: "Bearer t2" });
  expect((await late).body).toEqual({ token: "Bearer t2" });
  expect(runs()).toHaveLength(2);
});

test("a plugin whose credentials the server keeps rejecting does not run for every request", async () => {
  const clock = new FakeClock();
  const transport = await transportWith(plugin(`print({ token: "same" });`), () => false, { clock });
  for (let n = 0; n < 5; n++) expect((await transport.send(get)).status).toBe(401);
  expect(runs()).toHaveLength(2);
  clock.advance(10_000);
  expect((await transport.send(get)).status).toBe(401);
  expect(runs()).toHaveLength(3);
});

test("the plugin gets its arguments, its environment, and the cluster if provideClusterInfo is set", async () => {
  const exec = plugin(`print({ token: [process.argv[2], process.env.REGION, process.env.OUTER].join("-") });`, {
    env: [{ name: "REGION", value: "eu" }],
    provideClusterInfo: true,
    clusterConfig: { audience: "x" },
  });
  const transport = await transportWith({ ...exec, args: [...exec.args, "arg"] }, () => true, {
    environment: { OUTER: "o", REGION: "us" },
  });
  expect((await transport.send(get)).body).toEqual({ token: "Bearer arg-eu-o" });
  expect(JSON.parse(runs()[0] ?? "")).toEqual({
    kind: "ExecCredential",
    apiVersion,
    spec: {
      interactive: false,
      cluster: {
        server: expect.stringMatching(/^http:\/\/127\.0\.0\.1:/),
        "tls-server-name": "api",
        "certificate-authority-data": Buffer.from("-----BEGIN CERTIFICATE-----").toString("base64"),
        config: { audience: "x" },
      },
    },
  });
});

test("a plugin configured with v1beta1 gets an ExecCredential of v1beta1", async () => {
  const v1beta1 = "client.authentication.k8s.io/v1beta1";
  const exec = plugin(`print({ token: "old" }, { apiVersion: ${JSON.stringify(v1beta1)} });`, { apiVersion: v1beta1 });
  expect((await (await transportWith(exec)).send(get)).body).toEqual({ token: "Bearer old" });
  expect(JSON.parse(runs()[0] ?? "")).toEqual({
    kind: "ExecCredential",
    apiVersion: v1beta1,
    spec: { interactive: false },
  });
});

test("a plugin without a terminal gets no standard input", async () => {
  const exec = plugin(
    `let n = 0; for await (const chunk of process.stdin) n += chunk.length; print({ token: "n" + n });`,
    {
      interactiveMode: "IfAvailable",
    },
  );
  const transport = await transportWith(exec, () => true, { stdinIsTerminal: () => false });
  expect((await transport.send(get)).body).toEqual({ token: "Bearer n0" });
});

test("a plugin with a terminal gets interactive: true", async () => {
  const exec = plugin(`print({ token: String(JSON.parse(process.env.KUBERNETES_EXEC_INFO).spec.interactive) });`, {
    interactiveMode: "Always",
  });
  const transport = await transportWith(exec, () => true, { stdinIsTerminal: () => true });
  expect((await transport.send(get)).body).toEqual({ token: "Bearer true" });
});

test.each([
  ["requires a missing terminal", `print({ token: "t" });`, { interactiveMode: "Always" }, /not a terminal/],
  [
    "is not installed",
    "",
    { command: "no-such-plugin-anywhere", installHint: "Get it at \u001b[1mexample.com" },
    /"no-such-plugin-anywhere": the command is not installed, or not in PATH\. Get it at U\+001B\[1mexample\.com$/,
  ],
  ["fails", `console.error("no session"); process.exit(3);`, {}, /failed with exit code 3; it wrote: no session/],
  ["is killed", `process.kill(process.pid, "SIGKILL"); await new Promise(setImmediate);`, {}, /killed by SIGKILL/],
  ["does not print JSON", `console.log("secret-token");`, {}, /^(?!.*secret).*not JSON/],
  ["returns another kind", `console.log("{}");`, {}, /not an ExecCredential/],
  [
    "returns another version",
    `print({ token: "t" }, { apiVersion: "client.authentication.k8s.io/v1beta1" });`,
    {},
    /configured to use API version client\.authentication\.k8s\.io\/v1, and returned version "client\.authentication\.k8s\.io\/v1beta1"/,
  ],
  ["returns no status", `print(undefined);`, {}, /has no status/],
  ["returns no credential", `print({});`, {}, /neither a token nor a client certificate/],
  ["returns a key without a certificate", `print({ clientKeyData: "x" });`, {}, /only one of certificate and key/],
  [
    "returns an invalid certificate and key",
    `print({ clientKeyData: "x", clientCertificateData: "y" });`,
    {},
    /is not valid PEM/,
  ],
  ["returns a number as token", `print({ token: 1 });`, {}, /"token" in its output is not a string/],
  [
    "returns an invalid expirationTimestamp",
    `print({ token: "t", expirationTimestamp: "tomorrow" });`,
    {},
    /is not a time/,
  ],
  [
    "writes too much output",
    `process.stdout.write("x".repeat(2 ** 21)); await new Promise(() => setInterval(() => {}, 1e6));`,
    {},
    /longer than 1048576 bytes/,
  ],
] satisfies [string, string, Partial<ExecPlugin>, RegExp][])(
  "a plugin that %s fails the request with CONFIG_INVALID",
  async (_, script, options, message) => {
    const transport = await transportWith(plugin(script, options), () => true, { stdinIsTerminal: () => false });
    await expect(transport.send(get)).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringMatching(message),
    });
  },
);

test("a plugin that hangs is killed after execTimeoutMs, and the next request runs it again", async () => {
  const clock = new FakeClock();
  const exec = plugin(
    `appendFileSync(${JSON.stringify(join(folder, "pid"))}, process.pid + " ");
if (run === 1) await new Promise(() => setInterval(() => {}, 1e6)); print({ token: "t" + run });`,
  );
  const transport = await transportWith(exec, () => true, { clock, execTimeout: "5s" });
  const hanging = transport.send(get);
  const failed = expect(hanging).rejects.toThrow(/returned no credentials within 5 s/);
  await until(() => clock.pendingTimers === 1 && existsSync(join(folder, "pid")));
  clock.advance(5_000);
  await failed;
  const [pid] = readFileSync(join(folder, "pid"), "utf8").split(" ");
  await until(() => !isRunning(Number(pid)));
  expect((await transport.send(get)).body).toEqual({ token: "Bearer t2" });
});

test("an aborted request does not wait for the plugin, and closing the transport kills it", async () => {
  const exec = plugin("await new Promise(() => setInterval(() => {}, 1e6));");
  const transport = await transportWith(exec);
  const abort = new AbortController();
  const aborted = expect(transport.send({ ...get, signal: abort.signal })).rejects.toBe("enough");
  const waiting = expect(transport.send(get)).rejects.toThrow(/the transport was closed/);
  await until(ran);
  abort.abort("enough");
  await aborted;
  await transport.close();
  await waiting;
});

function ran(): boolean {
  try {
    return runs().length > 0;
  } catch {
    return false;
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Waits for another process, which the fake clock does not control. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise(setImmediate);
}
