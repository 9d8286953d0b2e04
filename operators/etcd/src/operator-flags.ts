import { existsSync, readFileSync } from "node:fs";
import type { RunFromArgsOptions } from "kubewright";
import type { EtcdOperatorOptions } from "./create-etcd-operator.js";

/** How the program runs, by its command line and environment. */
export interface EtcdOperatorFlags {
  readonly operator: Pick<EtcdOperatorOptions, "clusterWide" | "gcInterval">;
  /** Whether members are simulated: the nodes of the cluster are. */
  readonly simulatesMembers: boolean;
  /** The Pod of this process; left out outside of a cluster. */
  readonly pod?: { readonly namespace: string; readonly name: string };
  /** For the simulation; the framework reads the same flag. */
  readonly kubeconfig: string | undefined;
  readonly run: RunFromArgsOptions;
}

type GoDuration = NonNullable<EtcdOperatorOptions["gcInterval"]>;

const names = ["cluster-wide", "create-crd", "gc-interval", "listen-addr", "chaos-level", "simulate-members"] as const;

/** For `--help`, beside the flags of the framework. */
export const etcdFlagsHelp = `Runs the etcd operator.

Flags of the etcd operator:
  --cluster-wide          works on the EtcdClusters of all namespaces with the annotation etcd.database.coreos.com/scope: clusterwide (default: false)
  --create-crd            creates the CustomResourceDefinitions (default: true)
  --gc-interval=10m       how often every EtcdCluster is reconciled in any case; 0: only on changes
  --listen-addr=0.0.0.0:8080
                          address of /healthz, /readyz and /metrics
  --chaos-level=-1        only -1: this operator kills no members
  --simulate-members      no etcd runs: the operator simulates members for the Pods of simulated nodes
Environment:
  MY_POD_NAME, MY_POD_NAMESPACE   the Pod of the operator (default: from its ServiceAccount)

`;

/** The flags of the operator; all others are passed on to the framework. Throws for values that it cannot use. */
export function etcdOperatorFlags(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  serviceAccountNamespace: () => string | undefined = readNamespace,
): EtcdOperatorFlags {
  const given = new Map<string, string>();
  const rest: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const [, name = "", value] = /^--?([a-z-]+)(?:=(.*))?$/.exec(args[at] ?? "") ?? [];
    if (!names.some((known) => known === name)) rest.push(args[at] ?? "");
    else if (value !== undefined) given.set(name, value);
    else if (["gc-interval", "listen-addr", "chaos-level"].includes(name)) given.set(name, args[++at] ?? "");
    else given.set(name, "true");
  }
  const clusterWide = flag(given, "cluster-wide", false);
  const level = given.get("chaos-level") ?? "-1";
  if (level !== "-1")
    throw new Error(`Cannot use --chaos-level=${level}: this operator kills no members; only -1 is accepted`);
  const isInCluster = environment["KUBERNETES_SERVICE_HOST"] !== undefined;
  const identity = environment["MY_POD_NAME"] ?? (isInCluster ? environment["HOSTNAME"] : undefined);
  const { MY_POD_NAMESPACE: namespace = serviceAccountNamespace() ?? "default" } = environment;
  const address = given.get("listen-addr") ?? "0.0.0.0:8080";
  const gcInterval = given.get("gc-interval") ?? "10m";
  return {
    operator: {
      clusterWide,
      ...(!/^0[a-z]*$/.test(gcInterval) && { gcInterval: durationOf(gcInterval) }),
    },
    simulatesMembers: flag(given, "simulate-members", false),
    ...(isInCluster && identity !== undefined && { pod: { namespace, name: identity } }),
    kubeconfig: /(?:^|\n)--?kubeconfig[=\n](.+)/.exec(rest.join("\n"))?.[1],
    run: {
      args: rest,
      environment,
      healthAddress: address,
      metricsAddress: address,
      // As at the former operator; the flags of generated manifests serve them over HTTPS.
      ...(!rest.some((arg) => /^--?metrics-bind-address/.test(arg)) && { secureMetrics: false }),
      installCRDs: flag(given, "create-crd", true),
      leaderElection: { namespace, ...(identity !== undefined && { identity }) },
      ...(!clusterWide && { namespace }),
    },
  };
}

/** The namespace of the Pod that this process runs in. */
function readNamespace(): string | undefined {
  const file = "/var/run/secrets/kubernetes.io/serviceaccount/namespace";
  return existsSync(file) ? readFileSync(file, "utf8").trim() : undefined;
}

function flag(given: ReadonlyMap<string, string>, name: string, absent: boolean): boolean {
  const value = given.get(name);
  if (value === undefined) return absent;
  if (["true", "1", "t"].includes(value)) return true;
  if (["false", "0", "f"].includes(value)) return false;
  throw new Error(`Cannot use --${name}=${value}: it must be true or false`);
}

/** As Go writes durations: `10m`, `10m0s`, `1h30m`. */
function durationOf(text: string): GoDuration {
  if (!/^(\d+h)?(\d+m)?(\d+s)?$/.test(text) || text === "")
    throw new Error(`Cannot use --gc-interval=${text}: it must be a duration such as 10m`);
  const seconds = [...text.matchAll(/(\d+)([hms])/g)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * (unit === "h" ? 3_600 : unit === "m" ? 60 : 1),
    0,
  );
  return `${seconds}s`;
}
