import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { isOperatorError } from "@kubewright/core/errors";
import fc from "fast-check";
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

test("a kubeconfig defines server, CA, client certificate and namespace", async () => {
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

test("paths in a kubeconfig are relative to its directory", async () => {
  put("ca.crt", "CA from file");
  const file = put("config", config({ cluster: { "certificate-authority": "ca.crt" }, user: { tokenFile: "token" } }));
  expect(await loadConnection({ kubeconfig: file })).toMatchObject({
    caCertificate: "CA from file",
    caCertificateFile: join(folder, "ca.crt"),
    credentials: { kind: "tokenFile", path: join(folder, "token") },
  });
});

test("YAML is accepted, and an explicit context overrides the current one", async () => {
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

test("an explicit file takes precedence over KUBECONFIG, whose files are merged, first entry wins", async () => {
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
  expect(await loadConnection({ environment, serviceAccountDir: folder })).toEqual({
    server: "https://10.0.0.1:443",
    caCertificate: "POD CA",
    caCertificateFile: join(folder, "ca.crt"),
    credentials: { kind: "tokenFile", path: join(folder, "token") },
    namespace: "pod-namespace",
  });
  expect((await loadConnection({ environment: { HOME: folder } })).server).toBe("https://main.example.com:6443");
});

test("without any configuration the error lists the places searched", async () => {
  await expect(loadConnection({ environment: { HOME: folder } })).rejects.toMatchObject({
    code: "CONFIG_INVALID",
    message: expect.stringContaining("KUBECONFIG is not set"),
  });
});

test.each([
  [
    "an exec plugin without a version",
    config({ user: { exec: { command: "aws" } } }),
    "CONFIG_INVALID",
    /"exec" of user "main" has no apiVersion/,
  ],
  [
    "an exec plugin of a removed version",
    config({ user: { exec: { command: "aws", apiVersion: "client.authentication.k8s.io/v1alpha1" } } }),
    "CONFIG_INVALID",
    /"client.authentication.k8s.io\/v1alpha1"; supported are/,
  ],
  [
    "an exec plugin of v1 without interactiveMode",
    config({ user: { exec: { command: "aws", apiVersion: "client.authentication.k8s.io/v1" } } }),
    "CONFIG_INVALID",
    /must have an interactiveMode/,
  ],
  [
    "the auth-provider gcp",
    config({ user: { "auth-provider": { name: "gcp" } } }),
    "NOT_SUPPORTED",
    /"gcp" of user "main" is not supported; use the exec plugin "gke-gcloud-auth-plugin"/,
  ],
  [
    "the auth-provider azure",
    config({ user: { "auth-provider": { name: "azure" } } }),
    "NOT_SUPPORTED",
    /"azure" .* "kubelogin"/,
  ],
  [
    "an auth-provider named like a property of Object.prototype",
    config({ user: { "auth-provider": { name: "constructor" } } }),
    "NOT_SUPPORTED",
    /use an exec plugin$/,
  ],
  [
    "an exec plugin and an auth-provider",
    config({ user: { exec: {}, "auth-provider": {} } }),
    "CONFIG_INVALID",
    /both an exec plugin and an auth-provider/,
  ],
  [
    "OIDC without an issuer",
    config({ user: { "auth-provider": { name: "oidc" } } }),
    "CONFIG_INVALID",
    /has no "idp-issuer-url"/,
  ],
  [
    "a proxy of an unknown scheme",
    config({ cluster: { "proxy-url": "ftp://me:secret@p" } }),
    "CONFIG_INVALID",
    /^(?!.*secret).*must be http, https or socks5/,
  ],
  [
    "a CA and insecure-skip-tls-verify",
    config({ cluster: { "certificate-authority-data": "Q0E=", "insecure-skip-tls-verify": true } }),
    "CONFIG_INVALID",
    /cluster "main" has both a certificate authority and "insecure-skip-tls-verify"/,
  ],
  ["as-groups without as", config({ user: { "as-groups": ["g"] } }), "CONFIG_INVALID", /without "as"; set "as"/],
  [
    "a token and a password",
    config({ user: { token: "t", username: "u" } }),
    "CONFIG_INVALID",
    /both a token and a password/,
  ],
  ["two clusters of the same name", "clusters: [{name: a}, {name: a}]", "CONFIG_INVALID", /two entries named "a"/],
  ["a users section that is not a list", "users: 5", "CONFIG_INVALID", /"users" is not a list/],
  ["data that is not base64", config({ user: { "client-key-data": "%" } }), "CONFIG_INVALID", /is not base64/],
  [
    "a missing CA file",
    config({ cluster: { "certificate-authority": "/no/such/ca.crt" } }),
    "CONFIG_INVALID",
    /"certificate-authority" that cannot be read: ENOENT/,
  ],
  ["an invalid server URL", config({ cluster: { server: "https://a b" } }), "CONFIG_INVALID", /no server address/],
  [
    "a client key without a certificate",
    config({ user: { "client-key-data": "aaaa" } }),
    "CONFIG_INVALID",
    /only one of client certificate and key/,
  ],
  ["a missing context", JSON.stringify({ "current-context": "x" }), "CONFIG_INVALID", /no context "x"/],
  ["no current context", "{}", "CONFIG_INVALID", /no current context/],
  ["no content", "", "CONFIG_INVALID", /no current context/],
  ["invalid YAML", "{", "CONFIG_INVALID", /is not YAML/],
])("a kubeconfig with %s is rejected with a message that names the problem", async (_, text, code, message) => {
  await expect(parseKubeconfig([{ file: "config", text }])).rejects.toMatchObject({
    code,
    message: expect.stringMatching(message),
  });
});

test("an exec plugin is parsed with its defaults, its path and the cluster's exec extension", async () => {
  const exec = {
    apiVersion: "client.authentication.k8s.io/v1beta1",
    command: "./bin/plugin",
    args: ["get-token", 1],
    env: [{ name: "REGION", value: "eu" }],
    installHint: "Install it",
    provideClusterInfo: true,
  };
  const extensions = [{ name: "client.authentication.k8s.io/exec", extension: { audience: "x", n: 1 } }];
  const file = join(folder, "config");
  const { credentials } = await parseKubeconfig([{ file, text: config({ user: { exec }, cluster: { extensions } }) }]);
  expect(credentials).toEqual({
    kind: "exec",
    plugin: {
      apiVersion: "client.authentication.k8s.io/v1beta1",
      command: join(folder, "bin", "plugin"),
      args: ["get-token", "1"],
      env: [{ name: "REGION", value: "eu" }],
      installHint: "Install it",
      interactiveMode: "IfAvailable",
      provideClusterInfo: true,
      clusterConfig: { audience: "x", n: 1 },
    },
  });
});

test("as in client-go, a plugin is used only without other credentials, and a certificate combines with a token", async () => {
  const exec = { apiVersion: "client.authentication.k8s.io/v1", command: "plugin", interactiveMode: "Never" };
  const certificate = { "client-certificate-data": "Q0VSVA==", "client-key-data": "S0VZ" };
  const read = async (user: object) =>
    (await parseKubeconfig([{ file: "config", text: config({ user }) }])).credentials;
  expect(await read({ exec, token: "t" })).toEqual({ kind: "token", token: "t" });
  expect(await read({ exec, ...certificate })).toMatchObject({ kind: "certificate", certificate: "CERT" });
  expect(await read({ token: "t", ...certificate })).toEqual({
    kind: "token",
    token: "t",
    clientCertificate: { certificate: "CERT", key: "KEY" },
  });
});

test("a certificate and key from files keep their paths, so that they can be reloaded", async () => {
  put("tls.crt", "CERT");
  put("tls.key", "KEY");
  const file = put("config", config({ user: { "client-certificate": "tls.crt", "client-key": "tls.key" } }));
  expect((await loadConnection({ kubeconfig: file })).credentials).toEqual({
    kind: "certificate",
    certificate: "CERT",
    key: "KEY",
    certificateFile: join(folder, "tls.crt"),
    keyFile: join(folder, "tls.key"),
  });
});

test("impersonation comes from the kubeconfig, and an explicit one overrides it", async () => {
  const user = { as: "jane", "as-uid": "7", "as-groups": ["a", "b"], "as-user-extra": { scopes: ["x"] } };
  const file = put("config", config({ user }));
  const environment = {};
  expect((await loadConnection({ kubeconfig: file, environment })).impersonate).toEqual({
    user: "jane",
    uid: "7",
    groups: ["a", "b"],
    extra: { scopes: ["x"] },
  });
  const impersonate = { user: "joe" };
  expect((await loadConnection({ kubeconfig: file, environment, impersonate })).impersonate).toEqual({ user: "joe" });
});

test("proxy, compression and the environment's proxies are part of the connection", async () => {
  const cluster = { "proxy-url": "socks5://localhost:1080", "disable-compression": true };
  const file = put("config", config({ cluster }));
  const environment = { https_proxy: "proxy:3128", NO_PROXY: "example.org" };
  expect(await loadConnection({ kubeconfig: file, environment })).toMatchObject({
    proxyUrl: "socks5://localhost:1080",
    disableCompression: true,
    environmentProxy: { httpsProxy: "proxy:3128", noProxy: "example.org" },
  });
});

test("credentials are omitted for a server without TLS, as in kubectl", async () => {
  const text = config({ cluster: { server: "http://localhost:8080" }, user: { token: "secret" } });
  expect((await parseKubeconfig([{ file: "config", text }])).credentials).toEqual({ kind: "none" });
});

test("the first file's entry replaces a same-named one of the second, and other entries of the second are added", async () => {
  const first = `
current-context: ""
users: [{name: u, user: {token: 12345}}]
contexts: [{name: c, context: {cluster: k, user: u}}]
`;
  const second = `
preferences: {colors: true}
current-context: c
users: [{name: u, user: {username: never, password: never}}]
clusters: [{name: k, cluster: {server: "https://k"}}]
contexts: [{name: c, context: {cluster: other, user: other}}]
`;
  const connection = await parseKubeconfig([
    { file: "first", text: first },
    { file: "second", text: second },
  ]);
  expect(connection).toMatchObject({ server: "https://k", credentials: { kind: "token", token: "12345" } });
});

test("relative paths are resolved against the directory of their own file", async () => {
  mkdirSync(join(folder, "a"));
  mkdirSync(join(folder, "b"));
  put(join("b", "ca.crt"), "CA of b");
  const users = put(join("a", "config"), "users: [{name: u, user: {tokenFile: token}}]");
  const rest = put(
    join("b", "config"),
    `
current-context: c
clusters: [{name: k, cluster: {server: "https://k", certificate-authority: ca.crt}}]
contexts: [{name: c, context: {cluster: k, user: u}}]`,
  );
  const environment = { KUBECONFIG: [users, rest].join(delimiter) };
  expect(await loadConnection({ environment })).toMatchObject({
    caCertificate: "CA of b",
    credentials: { kind: "tokenFile", path: join(folder, "a", "token") },
  });
});

const scalar = fc.oneof(fc.string(), fc.integer(), fc.double(), fc.boolean(), fc.constant(null));
const anything = fc.oneof(
  scalar,
  fc.array(scalar, { maxLength: 3 }),
  fc.dictionary(fc.string(), scalar, { maxKeys: 3 }),
);
const fields = [
  [
    "server",
    "certificate-authority",
    "certificate-authority-data",
    "proxy-url",
    "insecure-skip-tls-verify",
    "extensions",
  ],
  ["token", "tokenFile", "exec", "auth-provider", "as", "as-groups", "as-user-extra", "username", "client-key-data"],
  ["cluster", "user", "namespace", "__proto__", "constructor"],
] as const;
const entry = (names: readonly string[]) =>
  fc.dictionary(fc.oneof(fc.constantFrom(...names), fc.string()), anything, { maxKeys: 4 });
const named = (field: string, names: readonly string[]) =>
  fc.oneof(
    fc.array(fc.record({ name: fc.constantFrom("a", "b", 1), [field]: fc.oneof(entry(names), anything) }), {
      maxLength: 2,
    }),
    anything,
  );
const kubeconfig = fc.record(
  {
    "current-context": fc.oneof(fc.constant("a"), anything),
    clusters: named("cluster", fields[0]),
    users: named("user", fields[1]),
    contexts: fc.oneof(fc.constant([{ name: "a", context: { cluster: "a", user: "a" } }]), named("context", fields[2])),
  },
  { requiredKeys: [] },
);

test("parsing any kubeconfig returns a connection or throws an OperatorError, and never pollutes a prototype", async () => {
  const text = fc.oneof(
    kubeconfig.map((value) => JSON.stringify(value)),
    fc.string(),
    fc.string({ unit: "binary" }),
  );
  await fc.assert(
    fc.asyncProperty(text, fc.option(fc.constantFrom("a", "b"), { nil: undefined }), async (source, context) => {
      try {
        const connection = await parseKubeconfig([{ file: "config", text: source }], context);
        expect(connection.server).toMatch(/^https?:/);
      } catch (error) {
        expect(isOperatorError(error), String(error)).toBe(true);
      }
      expect(Object.keys(Object.prototype)).toEqual([]);
    }),
    { numRuns: 500 },
  );
});
