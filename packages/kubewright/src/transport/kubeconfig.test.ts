import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadConnection, parseKubeconfig } from "./index.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kubewright-kubeconfig-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function config({
  user = {},
  cluster = {},
  name = "main",
}: {
  user?: object;
  cluster?: object;
  name?: string;
} = {}): string {
  return JSON.stringify({
    clusters: [{ name, cluster: { server: `https://${name}.example.com:6443/`, ...cluster } }],
    users: [{ name, user }],
    contexts: [{ name, context: { cluster: name, user: name, namespace: "team-a" } }],
    "current-context": name,
  });
}

function put(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

test("a kubeconfig gives server, authority, client certificate and namespace", async () => {
  const base64 = (text: string): string => Buffer.from(text).toString("base64");
  const text = config({
    cluster: { "certificate-authority-data": base64("CA"), "tls-server-name": "api" },
    user: { "client-certificate-data": base64("CERT"), "client-key-data": base64("KEY") },
  });
  expect(await parseKubeconfig([{ file: "config", text }])).toEqual({
    server: "https://main.example.com:6443",
    caCertificate: "CA",
    tlsServerName: "api",
    credentials: { kind: "certificate", certificate: "CERT", key: "KEY" },
    namespace: "team-a",
  });
});

test("paths in a kubeconfig start from its folder", async () => {
  put("ca.crt", "CA from file");
  const file = put("config", config({ cluster: { "certificate-authority": "ca.crt" }, user: { tokenFile: "token" } }));
  expect(await loadConnection({ kubeconfig: file })).toMatchObject({
    caCertificate: "CA from file",
    credentials: { kind: "tokenFile", path: join(folder, "token") },
  });
});

test("YAML is read too, and a named context wins over the current one", async () => {
  const yaml = `
current-context: a
contexts:
- {name: a, context: {cluster: a, user: a}}
- {name: b, context: {cluster: b, user: ""}}
clusters:
- {name: a, cluster: {server: "https://a"}}
- {name: b, cluster: {server: "https://b", insecure-skip-tls-verify: true}}
users:
- {name: a, user: {token: secret}}
`;
  expect(await parseKubeconfig([{ file: "config", text: yaml }])).toMatchObject({
    server: "https://a",
    credentials: { kind: "token", token: "secret" },
  });
  expect(await parseKubeconfig([{ file: "config", text: yaml }], "b")).toEqual({
    server: "https://b",
    insecureSkipTlsVerify: true,
    credentials: { kind: "none" },
    namespace: "default",
  });
});

test("the given file wins over KUBECONFIG, whose files are merged, the first that names a thing winning", async () => {
  const first = put("first", config({ name: "one" }));
  const second = put("second", config({ name: "two", user: { token: "t" } }));
  const environment = { KUBECONFIG: [first, join(folder, "missing"), second].join(delimiter) };
  expect((await loadConnection({ environment })).server).toBe("https://one.example.com:6443");
  expect((await loadConnection({ environment, context: "two" })).credentials).toEqual({ kind: "token", token: "t" });
  expect((await loadConnection({ environment, kubeconfig: second })).server).toBe("https://two.example.com:6443");
});

test("a pod uses its service account before ~/.kube/config", async () => {
  mkdirSync(join(folder, ".kube"));
  put(join(".kube", "config"), config());
  put("ca.crt", "POD CA");
  put("namespace", "pod-namespace\n");
  const environment = { HOME: folder, KUBERNETES_SERVICE_HOST: "10.0.0.1", KUBERNETES_SERVICE_PORT: "443" };
  expect(await loadConnection({ environment, serviceAccountFolder: folder })).toEqual({
    server: "https://10.0.0.1:443",
    caCertificate: "POD CA",
    credentials: { kind: "tokenFile", path: join(folder, "token") },
    namespace: "pod-namespace",
  });
  expect((await loadConnection({ environment: { HOME: folder } })).server).toBe("https://main.example.com:6443");
});

test("without any configuration the error says where it looked", async () => {
  await expect(loadConnection({ environment: { HOME: folder } })).rejects.toMatchObject({
    code: "CONFIG_INVALID",
    message: expect.stringContaining("KUBECONFIG is not set"),
  });
});

test.each([
  ["an exec plugin", config({ user: { exec: { command: "aws" } } }), "NOT_SUPPORTED", /"exec" of user "main"/],
  ["a proxy", config({ cluster: { "proxy-url": "http://p" } }), "NOT_SUPPORTED", /"proxy-url"/],
  [
    "half a certificate",
    config({ user: { "client-key-data": "aaaa" } }),
    "CONFIG_INVALID",
    /only one of client certificate and key/,
  ],
  ["a missing context", JSON.stringify({ "current-context": "x" }), "CONFIG_INVALID", /no context "x"/],
  ["no current context", "{}", "CONFIG_INVALID", /no current context/],
  ["something that is not YAML", "{", "CONFIG_INVALID", /is not YAML/],
])("a kubeconfig with %s is refused with a message that names it", async (_, text, code, message) => {
  await expect(parseKubeconfig([{ file: "config", text }])).rejects.toMatchObject({
    code,
    message: expect.stringMatching(message),
  });
});
