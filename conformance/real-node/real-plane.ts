import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { NodePlace } from "@kubewright/cluster/real-node";
import { CertificateAuthority } from "@kubewright/core/certificates";
import { systemClock } from "@kubewright/core/clock";
import { startControlPlane } from "@kubewright/testing/control-plane";
import { HttpsTransport } from "kubewright/transport";
import type { JoinablePlane } from "./joinable-plane.js";

/** kube-apiserver, kube-controller-manager and kube-scheduler, set up for kubelets as kubeadm does. */
export async function startRealPlane({ hostAddress }: NodePlace): Promise<JoinablePlane> {
  const folder = mkdtempSync(join(tmpdir(), "kubewright-plane-"));
  const authority = new CertificateAuthority("kubewright-nodes");
  const { certificate, privateKey } = authority.export();
  const client = authority.issueClient({ commonName: "kube-apiserver-kubelet-client", organization: "system:masters" });
  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  const [ca, key] = [write("ca.crt", certificate), write("ca.key", privateKey)];
  const plane = await startControlPlane({
    // Named, so that the admission plugin ServiceAccount is on.
    controllerManager: ["*", "serviceaccount-controller"],
    scheduler: true,
    flags: {
      "kube-apiserver": [
        `--advertise-address=${hostAddress}`,
        "--endpoint-reconciler-type=master-count",
        // Besides RBAC.
        "--authorization-mode=Node",
        "--enable-admission-plugins=NodeRestriction",
        "--enable-bootstrap-token-auth",
        `--client-ca-file=${ca}`,
        `--kubelet-certificate-authority=${ca}`,
        `--kubelet-client-certificate=${write("kubelet-client.crt", client.certificate)}`,
        `--kubelet-client-key=${write("kubelet-client.key", client.privateKey)}`,
        "--kubelet-preferred-address-types=InternalIP",
      ],
      "kube-controller-manager": [`--cluster-signing-cert-file=${ca}`, `--cluster-signing-key-file=${key}`],
    },
  });
  const kubeconfig = readFileSync(plane.kubeconfigFile(plane.admin), "utf8");
  const { port } = new URL(plane.url);
  const relay = await relayOf(hostAddress, Number(port));
  const credentials = { kind: "token", token: plane.admin.token } as const;
  const { url, caCertificate } = plane;
  const transport = new HttpsTransport(
    { server: url, caCertificate, credentials, namespace: "default" },
    { clock: systemClock },
  );
  return {
    server: { url: `https://${hostAddress}:${port}`, caCertificate, clientCaCertificate: certificate },
    transport,
    kubeconfig,
    async stop() {
      await transport.close();
      relay.stop();
      await plane.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Passes connections from the node on to the same port of loopback, where kube-apiserver listens. */
async function relayOf(host: string, port: number): Promise<{ stop(): void }> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((incoming) => {
    const outgoing = connect(port, "127.0.0.1");
    for (const [one, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one.on("error", () => other.destroy());
      one.on("close", () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  server.listen(port, host);
  await once(server, "listening");
  return {
    stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
