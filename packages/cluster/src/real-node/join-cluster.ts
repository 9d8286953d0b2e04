import { randomInt } from "node:crypto";
import { isJsonObject } from "@kubewright/core/json";
import type { Transport } from "@kubewright/core/transport";

/** Where an API server is reached from a node. */
export interface ServerAddress {
  readonly url: string;
  /** PEM. */
  readonly caCertificate: string;
  /** Of the CA that signs the client certificate with which the API server calls kubelets. @default caCertificate */
  readonly clientCaCertificate?: string;
}

/** A kubeconfig for a server and one user. */
export function kubeconfigOf({ url, caCertificate }: ServerAddress, user: object): string {
  const authority = Buffer.from(caCertificate).toString("base64");
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "cluster", cluster: { server: url, "certificate-authority-data": authority } }],
    users: [{ name: "node", user }],
    contexts: [{ name: "node", context: { cluster: "cluster", user: "node" } }],
    "current-context": "node",
  });
}

/** What lets kubelets join, as kubeadm sets it up: who may ask for client certificates, and whose requests are approved. */
const bindings: Readonly<Record<string, { readonly role: string; readonly group: string }>> = {
  "kubewright:kubelet-bootstrap": { role: "system:node-bootstrapper", group: "system:bootstrappers" },
  "kubewright:node-autoapprove-bootstrap": {
    role: "system:certificates.k8s.io:certificatesigningrequests:nodeclient",
    group: "system:bootstrappers",
  },
  "kubewright:node-autoapprove-certificate-rotation": {
    role: "system:certificates.k8s.io:certificatesigningrequests:selfnodeclient",
    group: "system:nodes",
  },
};

const rbac = "rbac.authorization.k8s.io";

/** How long a bootstrap token is valid. */
const tokenMs = 3_600_000;

/** Creates the bindings and a bootstrap token. Returns the token. */
export async function prepareToJoin(transport: Transport): Promise<string> {
  for (const [name, { role, group }] of Object.entries(bindings))
    await create(transport, `/apis/${rbac}/v1/clusterrolebindings`, {
      metadata: { name },
      roleRef: { apiGroup: rbac, kind: "ClusterRole", name: role },
      subjects: [{ apiGroup: rbac, kind: "Group", name: group }],
    });
  const [id, secret] = [randomText(6), randomText(16)];
  await create(transport, "/api/v1/namespaces/kube-system/secrets", {
    metadata: { name: `bootstrap-token-${id}` },
    type: "bootstrap.kubernetes.io/token",
    stringData: {
      "token-id": id,
      "token-secret": secret,
      "usage-bootstrap-authentication": "true",
      expiration: new Date(Date.now() + tokenMs).toISOString(),
    },
  });
  return `${id}.${secret}`;
}

/** How long the token of a node's program is valid: longer than a development cluster runs. */
const programTokenSeconds = 365 * 24 * 3_600;

/** Creates a ServiceAccount in kube-system with the permissions of a ClusterRole, and returns a token of it. */
export async function serviceAccountToken(
  transport: Transport,
  name: string,
  { binding, role }: { readonly binding: string; readonly role: string },
): Promise<string> {
  const accounts = "/api/v1/namespaces/kube-system/serviceaccounts";
  await create(transport, accounts, { metadata: { name } });
  await create(transport, `/apis/${rbac}/v1/clusterrolebindings`, {
    metadata: { name: binding },
    roleRef: { apiGroup: rbac, kind: "ClusterRole", name: role },
    subjects: [{ kind: "ServiceAccount", name, namespace: "kube-system" }],
  });
  const { status, body } = await transport.send({
    method: "POST",
    path: `${accounts}/${name}/token`,
    body: { spec: { expirationSeconds: programTokenSeconds } },
  });
  const token = isJsonObject(body) && isJsonObject(body["status"]) ? body["status"]["token"] : undefined;
  if (typeof token !== "string")
    throw new Error(`The token of ${name} was not issued: ${status} ${JSON.stringify(body)}`);
  return token;
}

const letters = "abcdefghijklmnopqrstuvwxyz0123456789";

function randomText(length: number): string {
  return Array.from({ length }, () => letters[randomInt(letters.length)]).join("");
}

/** Creates an object, unless it exists. */
export async function create(transport: Transport, path: string, body: object): Promise<void> {
  const response = await transport.send({ method: "POST", path, body });
  if (response.status !== 201 && response.status !== 409)
    throw new Error(`POST ${path} returned ${response.status}: ${JSON.stringify(response.body)}`);
}
