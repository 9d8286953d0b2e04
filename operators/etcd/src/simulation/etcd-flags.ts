const known = new Set([
  "data-dir",
  "name",
  "initial-advertise-peer-urls",
  "listen-peer-urls",
  "listen-client-urls",
  "advertise-client-urls",
  "initial-cluster",
  "initial-cluster-state",
  "initial-cluster-token",
  "force-new-cluster",
  "quota-backend-bytes",
  "auto-compaction-mode",
  "auto-compaction-retention",
  "peer-client-cert-auth",
  "peer-trusted-ca-file",
  "peer-cert-file",
  "peer-key-file",
  "client-cert-auth",
  "trusted-ca-file",
  "cert-file",
  "key-file",
  "client-cert-file",
  "client-key-file",
]);

/** How a simulated member was started. */
export interface EtcdFlags {
  readonly name: string;
  readonly peerURL: string;
  readonly clientURL: string;
  /** Peer URLs by member name. */
  readonly initialCluster: ReadonlyMap<string, string>;
  readonly state: "new" | "existing";
  readonly token: string;
  readonly isForced: boolean;
  readonly quota: number;
}

/** The flags of a command. Throws for those that etcd, or this simulation of it, does not know. */
export function etcdFlags(command: readonly string[]): EtcdFlags {
  const flags = new Map<string, string>();
  for (const part of command.slice(1)) {
    const [, name = "", value = ""] = /^--([^=]+)=(.*)$/.exec(part) ?? [];
    if (!known.has(name)) throw new Error(`flag provided but not defined: ${part}`);
    flags.set(name, value);
  }
  const required = (name: string): string => {
    const value = flags.get(name);
    if (value === undefined || value === "") throw new Error(`the flag --${name} is required`);
    return value;
  };
  const state = required("initial-cluster-state");
  if (state !== "new" && state !== "existing") throw new Error(`invalid value "${state}" for --initial-cluster-state`);
  const name = required("name");
  const peerURL = required("initial-advertise-peer-urls");
  const initialCluster = new Map(
    required("initial-cluster")
      .split(",")
      .map((pair): [string, string] => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]),
  );
  const isForced = flags.get("force-new-cluster") === "true";
  return {
    name,
    peerURL,
    clientURL: required("advertise-client-urls"),
    initialCluster,
    state,
    token: required("initial-cluster-token"),
    isForced,
    quota: Number(flags.get("quota-backend-bytes") ?? 2_147_483_648),
  };
}
