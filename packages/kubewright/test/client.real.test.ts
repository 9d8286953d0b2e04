/** The client against a real kube-apiserver. */
import { readdirSync, readFileSync } from "node:fs";
import { systemClock } from "@kubewright/core/clock";
import { kubeconfigText, startControlPlane } from "@kubewright/testing/control-plane";
import { HttpsTransport, parseKubeconfig } from "../src/transport/index.js";
import { testClient } from "./client-suite.js";

testClient(async () => {
  const plane = await startControlPlane();
  const open = async (user: typeof plane.admin): Promise<HttpsTransport> => {
    const connection = await parseKubeconfig([{ file: "kubeconfig", text: kubeconfigText(plane, user) }]);
    return new HttpsTransport(connection, { clock: systemClock });
  };
  const transport = await open(plane.admin);
  const restricted = await open(plane.restricted);
  const unknown = await open({ ...plane.admin, token: "not-a-token" });
  return {
    transport,
    restricted,
    unknown,
    compact: () => compactEtcd(plane.dir),
    // kube-apiserver keeps its own snapshots for a while after an etcd compaction: only a token older than those expires.
    aged: (token) => {
      const state = JSON.parse(Buffer.from(token, "base64url").toString()) as object;
      return Buffer.from(JSON.stringify({ ...state, rv: 2 })).toString("base64url");
    },
    close: async () => {
      await Promise.all([transport, restricted, unknown].map((each) => each.close()));
      await plane.stop();
    },
  };
});

/** Compacts the etcd of a control plane through its JSON gateway. */
async function compactEtcd(folder: string): Promise<void> {
  const url = etcdUrl(folder);
  const { header } = (await post(`${url}/v3/kv/range`, { key: "AA==" })) as { header: { revision: string } };
  await post(`${url}/v3/kv/compaction`, { revision: header.revision, physical: true });
}

async function post(url: string, body: object): Promise<unknown> {
  const response = await fetch(url, { method: "POST", body: JSON.stringify(body) });
  const text = await response.text();
  // An earlier compaction is not an error.
  if (!response.ok && !text.includes("has been compacted")) throw new Error(`Cannot post to ${url}: ${text}`);
  return JSON.parse(text);
}

/** Reads the address of etcd from its command line, because the control plane does not expose it. */
function etcdUrl(folder: string): string {
  for (const entry of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    let args: string[];
    try {
      args = readFileSync(`/proc/${entry}/cmdline`, "utf8").split("\0");
    } catch {
      continue;
    }
    if (!args.some((arg) => arg.startsWith("--data-dir=") && arg.includes(folder))) continue;
    const listen = args.find((arg) => arg.startsWith("--listen-client-urls="));
    if (listen !== undefined) return listen.slice("--listen-client-urls=".length);
  }
  throw new Error(`Cannot find the etcd process of "${folder}"`);
}
