import { OperatorError } from "@kubewright/core/errors";
import { type Flag, type FlagValues, parseFlags } from "./flag-set.js";
import type { LogLevel } from "./leveled-logger.js";
import type { RunOptions } from "./run-operator.js";

const noEffect = "accepted for manifests of kubebuilder, without effect";

/** The flags of an operator program: those of kubebuilder's `main.go`, of controller-runtime and of zap, and a few of ours. */
export const operatorFlags: readonly Flag[] = [
  { name: "leader-elect", description: "one replica is active at a time (default: false)" },
  { name: "leader-election-namespace", value: "NAME", description: "namespace of the Lease (default: the pod's)" },
  {
    name: "health-probe-bind-address",
    value: ":8081",
    description: "address of /healthz and /readyz; 0: not served (default: :8081)",
  },
  { name: "metrics-bind-address", value: ":8443", description: "address of /metrics; 0: not served (default: 0)" },
  { name: "metrics-secure", description: "metrics over HTTPS, with authorization by RBAC (default: true)" },
  {
    name: "metrics-cert-path",
    value: "DIR",
    description: "directory of the metrics certificate (default: self-signed)",
  },
  { name: "metrics-cert-name", value: "tls.crt", description: "file of the metrics certificate; only tls.crt" },
  {
    name: "metrics-cert-key",
    value: "tls.key",
    description: "file of the key of the metrics certificate; only tls.key",
  },
  { name: "webhook-port", value: "9443", description: "port of the webhook server (default: 9443)" },
  {
    name: "webhook-cert-path",
    value: "DIR",
    description: "directory of the webhook certificate (default: /tmp/k8s-webhook-server/serving-certs)",
  },
  { name: "webhook-cert-name", value: "tls.crt", description: "file of the webhook certificate; only tls.crt" },
  {
    name: "webhook-cert-key",
    value: "tls.key",
    description: "file of the key of the webhook certificate; only tls.key",
  },
  {
    name: "webhook-url",
    value: "URL",
    description:
      "local development: URL of this process for the API server, such as https://127.0.0.1:9443; installs the webhook configurations until it stops",
  },
  { name: "enable-http2", description: `${noEffect}: servers speak HTTP/1.1` },
  { name: "namespace", value: "NAME", description: "namespaces to watch, separated by commas (default: all)" },
  { name: "install-crds", description: "install the CRDs on start (default: false)" },
  { name: "migrate-stored", description: "with --install-crds: migrate stored objects to the storage version" },
  { name: "kubeconfig", value: "FILE", description: "kubeconfig file (default: KUBECONFIG, the pod, ~/.kube/config)" },
  { name: "context", value: "NAME", description: "context of the kubeconfig (default: the current one)" },
  { name: "master", value: "URL", description: "URL of the API server; overrides the kubeconfig" },
  { name: "log-level", value: "LEVEL", description: "debug, info, warn or error (default: info)" },
  { name: "zap-log-level", value: "LEVEL", description: "as --log-level; also panic, and numbers above 0 for debug" },
  { name: "zap-devel", description: "the log level debug" },
  { name: "zap-encoder", value: "json", description: noEffect },
  { name: "zap-stacktrace-level", value: "error", description: noEffect },
  { name: "zap-time-encoding", value: "rfc3339", description: noEffect },
  { name: "help", description: "print this and exit" },
];

/**
 * The options of a run from flags and variables; those of `given` hold where neither sets them.
 *
 * Without a flag, health probes are served on `:8081` as by kubebuilder's `main.go`, unless `given` says otherwise. Throws CONFIG_INVALID for flags and
 * values that do not exist, and NOT_SUPPORTED for other names of certificate files.
 */
export function optionsFromArgs(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  given: RunOptions = {},
): RunOptions {
  const flags = parseFlags(operatorFlags, args);
  requireCertificateNames(flags);
  const text = (name: string): string | undefined => {
    const value = flags.get(name);
    return typeof value === "string" ? value : undefined;
  };
  const namespaces = namesIn(text("namespace") ?? environment["WATCH_NAMESPACE"]);
  const logLevel = levelOf(flags) ?? (environment["LOG_LEVEL"] || undefined);
  const { healthAddress = ":8081", metricsAddress: _, secureMetrics: __, ...others } = given;
  return {
    ...others,
    ...addressPart("healthAddress", text("health-probe-bind-address") ?? healthAddress),
    ...metricsPart(flags, given),
    ...webhookPart(flags, environment),
    ...leaderPart(flags, given),
    ...(namespaces && { namespace: namespaces }),
    ...(flags.has("install-crds") && { installCRDs: installPart(flags) }),
    ...defined({ kubeconfig: text("kubeconfig"), context: text("context"), server: text("master") }),
    // `run` rejects an unknown level.
    ...defined({ logLevel: logLevel as LogLevel | undefined }),
  };
}

function metricsPart(flags: FlagValues, { metricsAddress, secureMetrics }: RunOptions): RunOptions {
  const address = flags.get("metrics-bind-address") ?? metricsAddress;
  if (typeof address !== "string" || address === "0") return {};
  const certDir = flags.get("metrics-cert-path");
  if ((flags.get("metrics-secure") ?? secureMetrics) === false)
    return { metricsAddress: address, secureMetrics: false };
  const given = secureMetrics === undefined || secureMetrics;
  return {
    metricsAddress: address,
    secureMetrics:
      typeof certDir === "string" && certDir !== "" ? { ...(given === true ? {} : given), certDir } : given,
  };
}

function installPart(flags: FlagValues): NonNullable<RunOptions["installCRDs"]> {
  if (flags.get("install-crds") !== true) return false;
  return flags.get("migrate-stored") === true ? { migrateStored: true } : true;
}

function webhookPart(flags: FlagValues, environment: Readonly<Record<string, string | undefined>>): RunOptions {
  const port = flags.get("webhook-port");
  if (typeof port === "string" && !/^\d{1,5}$/.test(port))
    throw new OperatorError("CONFIG_INVALID", `Cannot use --webhook-port=${port}: it must be a port, such as 9443`);
  const certDir = flags.get("webhook-cert-path");
  const webhookUrl = flags.get("webhook-url");
  return {
    ...(typeof webhookUrl === "string" && { webhookUrl, webhookAddress: ":9443" }),
    ...(typeof port === "string" && { webhookAddress: `:${port}` }),
    ...(environment["ENABLE_WEBHOOKS"] === "false" && { webhookAddress: false as const }),
    ...(typeof certDir === "string" && certDir !== "" && { webhookCertDir: certDir }),
  };
}

function leaderPart(flags: FlagValues, { leaderElection }: RunOptions): RunOptions {
  const wanted = flags.get("leader-elect");
  if (wanted === false) return { leaderElection: false };
  const settings = typeof leaderElection === "object" ? leaderElection : {};
  const namespace = flags.get("leader-election-namespace");
  if (typeof namespace === "string" && (wanted === true || leaderElection))
    return { leaderElection: { ...settings, namespace } };
  return wanted === true ? { leaderElection: typeof leaderElection === "object" ? leaderElection : true } : {};
}

function addressPart(name: "healthAddress", address: string): RunOptions {
  return address === "0" || address === "" ? {} : { [name]: address };
}

/** zap's levels: names, and numbers for verbosity. */
function levelOf(flags: FlagValues): string | undefined {
  const own = flags.get("log-level");
  if (typeof own === "string") return own;
  const zap = flags.get("zap-log-level");
  if (typeof zap === "string") return /^[1-9]\d*$/.test(zap) ? "debug" : zap === "panic" ? "error" : zap;
  return flags.get("zap-devel") === true ? "debug" : undefined;
}

function namesIn(text: string | undefined): readonly string[] | undefined {
  const names = (text ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  return names.length === 0 ? undefined : names;
}

function requireCertificateNames(flags: FlagValues): void {
  for (const kind of ["metrics", "webhook"])
    for (const [part, file] of [
      ["name", "tls.crt"],
      ["key", "tls.key"],
    ]) {
      const given = flags.get(`${kind}-cert-${part}`);
      if (given !== undefined && given !== file)
        throw new OperatorError(
          "NOT_SUPPORTED",
          `Cannot use --${kind}-cert-${part}=${String(given)}: the file must be "${file}", as in a Secret of type kubernetes.io/tls`,
        );
    }
}

function defined<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
