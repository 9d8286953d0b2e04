import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { startCluster } from "@kubewright/cluster";
import { startControlPlane } from "@kubewright/testing/control-plane";
import { expect, test } from "vitest";
import { HttpsClient } from "../servers/https-client.js";
import { scriptedServer } from "../webhooks/index.js";
import { type AuditedWrite, auditedWrites, auditSetUp, inEffect, probe } from "./audit-requests.js";

type Annotations = Readonly<Record<string, string>>;

/** Logs ConfigMaps with the level that patches need. */
const policy = {
  apiVersion: "audit.k8s.io/v1",
  kind: "Policy",
  omitStages: ["RequestReceived"],
  rules: [{ level: "Request", resources: [{ group: "", resources: ["configmaps"] }] }, { level: "None" }],
};

test("audit events have the annotations of webhooks and policies that a real server adds", async () => {
  const folder = mkdtempSync(join(tmpdir(), "kubewright-audit-"));
  const [policyFile, log] = [join(folder, "policy.json"), join(folder, "audit.log")];
  writeFileSync(policyFile, JSON.stringify(policy));
  await using plane = await startControlPlane({
    flags: { "kube-apiserver": [`--audit-policy-file=${policyFile}`, `--audit-log-path=${log}`] },
  });
  const own: [string, string][] = [];
  await using cluster = await startCluster({
    audit: { observe: () => {}, annotate: (key, value) => void own.push([key, value]) },
  });
  const listening = await cluster.listen();
  try {
    const { url, caCertificate, admin } = plane;
    const real = await written({ url, caCertificate, token: admin.token }, () => auditLog(log));
    const ours = await written({ ...listening, token: listening.adminToken }, () => own.splice(0));
    expect(Object.keys(real.flatMap((one) => Object.keys(one)))).not.toHaveLength(0);
    expect(ours).toEqual(real);
  } finally {
    rmSync(folder, { recursive: true });
  }
}, 120_000);

/** Sends all requests, and returns the annotations of each. */
async function written(
  server: { readonly url: string; readonly caCertificate: string; readonly token: string },
  recent: () => readonly [string, string][],
): Promise<Annotations[]> {
  const client = new HttpsClient(server);
  const send = ({ method, path, body }: AuditedWrite) =>
    client.send({ method, path, headers: { "content-type": "application/json" }, text: JSON.stringify(body) });
  for (const step of auditSetUp(await scriptedServer())) expect(await send(step)).toMatchObject({ status: 201 });
  const deadlineMs = performance.now() + 60_000;
  while (!inEffect(await send(probe))) {
    if (performance.now() > deadlineMs) throw new Error("The webhooks and policies are not in effect after 60 s");
    await delay(100);
  }
  recent();
  const annotations: Annotations[] = [];
  for (const one of auditedWrites) {
    await send(one);
    annotations.push(Object.fromEntries([...recent()].sort()));
  }
  await client.close();
  return annotations;
}

let read = 0;

/** The annotations that the log got since the last call, without those of authorization. */
function auditLog(file: string): [string, string][] {
  const lines = readFileSync(file, "utf8").trim().split("\n");
  const events = lines.slice(read).map((line) => JSON.parse(line) as { readonly annotations?: Annotations });
  read = lines.length;
  return events.flatMap(({ annotations = {} }) =>
    Object.entries(annotations).filter(([key]) => !key.startsWith("authorization.k8s.io/")),
  );
}
