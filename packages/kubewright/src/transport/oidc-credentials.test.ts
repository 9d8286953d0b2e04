import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FakeClock } from "@kubewright/core/clock";
import type { LogFields } from "@kubewright/core/log";
import { silentLogger } from "@kubewright/core/log";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parse } from "yaml";
import { HttpsTransport, loadConnection } from "./index.js";

const startMs = Date.UTC(2030, 0, 1);
let folder: string;
const open: (() => Promise<unknown>)[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kubewright-oidc-"));
});
afterEach(async () => {
  for (const close of open.splice(0)) await close();
  rmSync(folder, { recursive: true });
});

function token(name: string, expiresMs: number): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({ alg: "none" })}.${part({ sub: name, exp: expiresMs / 1_000 })}.c2ln`;
}

interface Asked {
  readonly authorization: string | undefined;
  readonly form: Record<string, string>;
}

/** A real issuer and a real API server, on one port. The issuer accepts the client secret in the body only, as some do. */
async function issuer(
  respond: (asked: Asked) => { status?: number; body: object },
): Promise<{ url: string; asked: Asked[] }> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const send = (status: number, body: object): void => {
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    };
    if (request.url === "/issuer/.well-known/openid-configuration")
      return send(200, { token_endpoint: `${url}/token` });
    if (request.url !== "/token") return send(200, { authorization: request.headers.authorization });
    const one = { authorization: request.headers.authorization, form: Object.fromEntries(new URLSearchParams(text)) };
    asked.push(one);
    const { status = 200, body } = respond(one);
    send(status, body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  open.push(() => new Promise((resolve) => server.close(resolve).closeAllConnections()));
  return { url, asked };
}

function kubeconfig(url: string, config: object): string {
  const file = join(folder, "config");
  const text = `# my clusters
current-context: c
clusters:
- {name: k, cluster: {server: "https://unused"}}
contexts:
- {name: c, context: {cluster: k, user: u}}
users:
- name: other
  user: {token: keep}
- name: u # the one
  user:
    auth-provider:
      name: oidc
      config: ${JSON.stringify({ "idp-issuer-url": `${url}/issuer/`, "client-id": "me", ...config })}
`;
  writeFileSync(file, text);
  chmodSync(file, 0o600);
  return file;
}

async function transportOf(file: string, url: string, clock = new FakeClock(startMs), warned: LogFields[] = []) {
  const connection = await loadConnection({ kubeconfig: file, environment: {} });
  const logger = { ...silentLogger, warn: (fields: LogFields) => void warned.push(fields) };
  const transport = new HttpsTransport({ ...connection, server: url }, { clock, logger });
  open.push(() => transport.close());
  return transport;
}

const get = { method: "GET", path: "/api" } as const;

test("an id-token is used until ten seconds before it expires, without a request to the issuer", async () => {
  const { url, asked } = await issuer(() => ({ body: {} }));
  const clock = new FakeClock(startMs);
  const old = token("old", startMs + 60_000);
  const transport = await transportOf(kubeconfig(url, { "id-token": old }), url, clock);
  clock.advance(49_999);
  expect((await transport.send(get)).body).toEqual({ authorization: `Bearer ${old}` });
  expect(asked).toEqual([]);
  clock.advance(1);
  await expect(transport.send(get)).rejects.toMatchObject({
    code: "CONFIG_INVALID",
    message: expect.stringMatching(/no refresh-token; log in again/),
  });
});

test("concurrent requests refresh an expired token once, and the new tokens are written back without other changes", async () => {
  const fresh = token("fresh", startMs + 3_600_000);
  const { url, asked } = await issuer(({ authorization }) =>
    authorization === undefined
      ? { body: { id_token: fresh, refresh_token: "r2" } }
      : { status: 401, body: { error: "invalid_client" } },
  );
  const file = kubeconfig(url, { "refresh-token": "r1", "client-secret": "s&1", "id-token": token("old", startMs) });
  const link = join(folder, "link");
  symlinkSync(file, link);
  const transport = await transportOf(link, url);
  const responses = await Promise.all(Array.from({ length: 10 }, () => transport.send(get)));
  for (const { body } of responses) expect(body).toEqual({ authorization: `Bearer ${fresh}` });
  expect(asked).toEqual([
    {
      authorization: `Basic ${Buffer.from("me:s%261").toString("base64")}`,
      form: { grant_type: "refresh_token", refresh_token: "r1" },
    },
    {
      authorization: undefined,
      form: { grant_type: "refresh_token", refresh_token: "r1", client_id: "me", client_secret: "s&1" },
    },
  ]);
  const written = readFileSync(file, "utf8");
  expect(written).toContain("# my clusters");
  expect(written).toContain("# the one");
  const { users } = parse(written);
  expect(users[0]).toEqual({ name: "other", user: { token: "keep" } });
  expect(users[1].user["auth-provider"].config).toMatchObject({
    "id-token": fresh,
    "refresh-token": "r2",
    "client-secret": "s&1",
  });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder).sort()).toEqual(["config", "link"]);
});

test("tokens that another process refreshed in the file are used without a request to the issuer", async () => {
  const { url, asked } = await issuer(() => ({ body: {} }));
  const config = { "refresh-token": "r1", "id-token": token("old", startMs) };
  const transport = await transportOf(kubeconfig(url, config), url);
  const other = token("other", startMs + 3_600_000);
  kubeconfig(url, { ...config, "id-token": other });
  expect((await transport.send(get)).body).toEqual({ authorization: `Bearer ${other}` });
  expect(asked).toEqual([]);
});

test("tokens that cannot be written back are used, and a warning is logged", async () => {
  const fresh = token("fresh", startMs + 3_600_000);
  const { url } = await issuer(() => ({ body: { id_token: fresh } }));
  const file = kubeconfig(url, { "refresh-token": "r1" });
  const warned: LogFields[] = [];
  const clock = new FakeClock(startMs);
  const transport = await transportOf(file, url, clock, warned);
  writeFileSync(`${file}.lock`, "");
  const sent = transport.send(get);
  let responded = false;
  void sent.finally(() => {
    responded = true;
  });
  while (!responded) {
    clock.advance(100);
    await new Promise(setImmediate);
  }
  expect((await sent).body).toEqual({ authorization: `Bearer ${fresh}` });
  expect(warned).toMatchObject([{ user: "u", err: { message: expect.stringContaining(".lock") } }]);
});

test.each([
  [
    { status: 400, body: { error: "invalid_grant", error_description: "expired" } },
    /status 400 \(invalid_grant: expired\); log in again/,
  ],
  [{ body: { access_token: "x" } }, /no id_token; log in with the scope "openid"/],
])("an issuer response %j fails with a message that states what to do", async (response, message) => {
  const { url } = await issuer(() => response);
  const transport = await transportOf(kubeconfig(url, { "refresh-token": "never-shown" }), url);
  await expect(transport.send(get)).rejects.toMatchObject({
    code: "CONFIG_INVALID",
    message: expect.stringMatching(message),
  });
  await expect(transport.send(get)).rejects.not.toThrow(/never-shown/);
});

test("an id-token that is not a JWT is rejected", async () => {
  const { url } = await issuer(() => ({ body: {} }));
  const transport = await transportOf(kubeconfig(url, { "id-token": "abc" }), url);
  await expect(transport.send(get)).rejects.toThrow(/not a JWT/);
});
