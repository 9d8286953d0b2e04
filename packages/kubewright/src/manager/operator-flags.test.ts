import { expect, test } from "vitest";
import { optionsFromArgs } from "./operator-flags.js";

test("the flags of kubebuilder's manifests become the options of a run", () => {
  const args = [
    "--leader-elect",
    "--health-probe-bind-address=:9090",
    "--metrics-bind-address=:8443",
    "--metrics-cert-path=/tmp/metrics",
    "--webhook-cert-path",
    "/tmp/certs",
    "-webhook-port=9444",
    "--zap-log-level=2",
    "--enable-http2=false",
  ];
  expect(optionsFromArgs(args, { WATCH_NAMESPACE: "a, b" })).toEqual({
    leaderElection: true,
    healthAddress: ":9090",
    metricsAddress: ":8443",
    secureMetrics: { certDir: "/tmp/metrics" },
    webhookAddress: ":9444",
    webhookCertDir: "/tmp/certs",
    logLevel: "debug",
    namespace: ["a", "b"],
  });
});

test("without flags, kubebuilder's defaults hold: health probes on :8081, no metrics, all namespaces", () => {
  expect(optionsFromArgs([], { WATCH_NAMESPACE: "" })).toEqual({ healthAddress: ":8081" });
  expect(optionsFromArgs(["--health-probe-bind-address=0"], {})).toEqual({});
});

test("metrics are secured unless --metrics-secure=false", () => {
  expect(optionsFromArgs(["--metrics-bind-address=:8443"], {})).toMatchObject({ secureMetrics: true });
  const args = ["--metrics-bind-address=:8080", "--metrics-secure=false"];
  expect(optionsFromArgs(args, {})).toMatchObject({ metricsAddress: ":8080", secureMetrics: false });
});

test("flags override variables, and variables override the options of the program", () => {
  const given = { logLevel: "warn", leaderElection: { name: "shop" }, installCRDs: true } as const;
  expect(optionsFromArgs([], {}, given)).toMatchObject(given);
  expect(optionsFromArgs([], { LOG_LEVEL: "error" }, given)).toMatchObject({ logLevel: "error" });
  const args = ["--log-level=debug", "--leader-elect", "--leader-election-namespace=web", "--install-crds=false"];
  expect(optionsFromArgs(args, { LOG_LEVEL: "error" }, given)).toMatchObject({
    logLevel: "debug",
    leaderElection: { name: "shop", namespace: "web" },
    installCRDs: false,
  });
  expect(optionsFromArgs(["--leader-elect=false"], {}, given)).toMatchObject({ leaderElection: false });
});

test("ENABLE_WEBHOOKS=false serves no webhooks, whatever the flags say", () => {
  expect(optionsFromArgs(["--webhook-port=9443"], { ENABLE_WEBHOOKS: "false" })).toMatchObject({
    webhookAddress: false,
  });
});

test.each([
  ["--leader-elected", "Cannot use --leader-elected: no such flag; did you mean --leader-elect?"],
  ["--leader-elect=maybe", "Cannot use --leader-elect=maybe: it must be true or false"],
  ["--kubeconfig", "Cannot use --kubeconfig: it needs a value, such as --kubeconfig=FILE"],
  ["start", 'Cannot use the argument "start": it is not a flag; --help lists the flags'],
  ["--webhook-port=https", "Cannot use --webhook-port=https: it must be a port, such as 9443"],
  [
    "--webhook-cert-name=server.crt",
    'Cannot use --webhook-cert-name=server.crt: the file must be "tls.crt", as in a Secret of type kubernetes.io/tls',
  ],
])("the wrong argument %s gets a message with the remedy", (arg, message) => {
  expect(() => optionsFromArgs([arg], {})).toThrow(message);
});

test("--webhook-url serves webhooks for local development, also where the program serves none", () => {
  const url = "https://127.0.0.1:9444";
  const given = { webhookAddress: false } as const;
  expect(optionsFromArgs([`--webhook-url=${url}`], {}, given)).toMatchObject({
    webhookUrl: url,
    webhookAddress: ":9443",
  });
  expect(optionsFromArgs([`--webhook-url=${url}`, "--webhook-port=9444"], {}, given)).toMatchObject({
    webhookAddress: ":9444",
  });
  expect(optionsFromArgs([], {}, given)).toMatchObject({ webhookAddress: false });
});

test("--migrate-stored migrates stored objects after --install-crds", () => {
  expect(optionsFromArgs(["--install-crds", "--migrate-stored"], {})).toMatchObject({
    installCRDs: { migrateStored: true },
  });
  expect(optionsFromArgs(["--install-crds"], {})).toMatchObject({ installCRDs: true });
});
