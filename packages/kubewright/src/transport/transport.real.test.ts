import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FakeClock, systemClock } from "@kubewright/core/clock";
import { type ControlPlane, startControlPlane } from "@kubewright/testing/control-plane";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type Connection, HttpsTransport, type HttpsTransportOptions, loadConnection, warningTexts } from "./index.js";

let controlPlane: ControlPlane;
let folder: string;
const open: HttpsTransport[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "kubewright-real-"));
  controlPlane = await startControlPlane();
});
afterEach(async () => {
  for (const transport of open.splice(0)) await transport.close();
});
afterAll(async () => {
  await controlPlane?.stop();
  rmSync(folder, { recursive: true });
});

function transportTo(connection: Partial<Connection>, options: Partial<HttpsTransportOptions> = {}): HttpsTransport {
  const { url, caCertificate } = controlPlane;
  const transport = new HttpsTransport(
    { server: url, caCertificate, credentials: { kind: "none" }, namespace: "default", ...connection },
    { clock: systemClock, ...options },
  );
  open.push(transport);
  return transport;
}

const asAdmin = (): Connection["credentials"] => ({ kind: "token", token: controlPlane.admin.token });
const secrets = { method: "GET", path: "/api/v1/namespaces/default/secrets" } as const;

test("an exec plugin of a kubeconfig returns a token that the server accepts", async () => {
  const credential = {
    kind: "ExecCredential",
    apiVersion: "client.authentication.k8s.io/v1",
    status: { token: controlPlane.admin.token },
  };
  const exec = {
    apiVersion: credential.apiVersion,
    command: process.execPath,
    args: ["-e", "console.log(process.env.CREDENTIAL)"],
    env: [{ name: "CREDENTIAL", value: JSON.stringify(credential) }],
    interactiveMode: "Never",
  };
  const file = join(folder, "exec-config");
  const cluster = {
    server: controlPlane.url,
    "certificate-authority-data": Buffer.from(controlPlane.caCertificate).toString("base64"),
  };
  writeFileSync(
    file,
    JSON.stringify({
      "current-context": "c",
      contexts: [{ name: "c", context: { cluster: "k", user: "u" } }],
      clusters: [{ name: "k", cluster }],
      users: [{ name: "u", user: { exec } }],
    }),
  );
  const transport = transportTo(await loadConnection({ kubeconfig: file }));
  expect(await transport.send(secrets)).toMatchObject({ status: 200, body: { kind: "SecretList" } });
  expect(await transportTo({}).send(secrets)).toMatchObject({
    status: 403,
    body: { message: expect.stringContaining("system:anonymous") },
  });
});

test("a client that impersonates the restricted user has that user's permissions", async () => {
  const transport = transportTo(
    { credentials: asAdmin(), impersonate: { user: "another-user" } },
    { impersonate: { user: "restricted", groups: ["system:authenticated"], extra: { "example.com/é": ["ü"] } } },
  );
  const { status, body } = await transport.send(secrets);
  expect(status).toBe(403);
  expect(body).toMatchObject({ message: expect.stringContaining(`User "restricted" cannot list resource "secrets"`) });
  const review = await transport.send({
    method: "POST",
    path: "/apis/authentication.k8s.io/v1/selfsubjectreviews",
    body: { kind: "SelfSubjectReview", apiVersion: "authentication.k8s.io/v1" },
  });
  expect(review.body).toMatchObject({
    status: { userInfo: { username: "restricted", extra: { "example.com/é": ["ü"] } } },
  });
});

test("a rotated token file is reloaded: at once after a 401, otherwise after a minute", async () => {
  const path = join(folder, "token");
  const clock = new FakeClock();
  const transport = transportTo({ credentials: { kind: "tokenFile", path } }, { clock });
  writeFileSync(path, "unknown");
  expect((await transport.send(secrets)).status).toBe(401);
  writeFileSync(path, controlPlane.restricted.token);
  expect((await transport.send(secrets)).status).toBe(403);
  writeFileSync(path, `${controlPlane.admin.token}\n\n`);
  expect((await transport.send(secrets)).status).toBe(403);
  clock.advance(60_000);
  expect((await transport.send(secrets)).status).toBe(200);
});

test("a large list is compressed, and equals the uncompressed one", async () => {
  const path = "/api/v1/namespaces/default/configmaps";
  const transport = transportTo({ credentials: asAdmin() });
  for (let n = 0; n < 4; n++) {
    const body = { metadata: { name: `large-${n}` }, data: { text: `${n}`.repeat(100_000) } };
    expect((await transport.send({ method: "POST", path, body })).status).toBe(201);
  }
  const packed = await transport.send({ method: "GET", path });
  expect(packed.headers["content-encoding"]).toBe("gzip");
  const plain = await transportTo({ credentials: asAdmin(), disableCompression: true }).send({ method: "GET", path });
  expect(plain.headers["content-encoding"]).toBeUndefined();
  expect(packed.body).toEqual(plain.body);
});

test("the server's warnings are parsed", async () => {
  const { headers } = await transportTo({ credentials: asAdmin() }).send({
    method: "GET",
    path: "/api/v1/componentstatuses",
  });
  expect(warningTexts(headers["warning"] ?? "")).toEqual(["v1 ComponentStatus is deprecated in v1.19+"]);
});

test("a server whose CA is not configured is rejected with a helpful message", async () => {
  const transport = new HttpsTransport(
    { server: controlPlane.url, credentials: { kind: "none" }, namespace: "default" },
    { clock: systemClock },
  );
  open.push(transport);
  await expect(transport.send(secrets)).rejects.toThrow(/signed by an unknown authority/);
});
