import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { CertificateAuthority } from "@kubewright/core/certificates";
import { systemClock } from "@kubewright/core/clock";
import { type ControlPlane, startControlPlane } from "@kubewright/testing/control-plane";
import { HttpsTransport } from "kubewright/transport";
import { observe, type Side } from "./run-scenario.js";

/** A real control plane with kube-controller-manager and kube-scheduler. */
export interface RealSide extends Side, AsyncDisposable {
  /** The version of the server. */
  readonly kubernetes: string;
}

const settleTimeoutMs = 90_000;

/** Starts a real control plane with all controllers, including node lifecycle. */
export async function startRealSide(): Promise<RealSide> {
  const signer = new CertificateAuthority("scenarios").issueServer("signer", []);
  const folder = mkdtempSync(join(tmpdir(), "scenarios-"));
  writeFileSync(join(folder, "signer.crt"), signer.certificate);
  writeFileSync(join(folder, "signer.key"), signer.privateKey, { mode: 0o600 });
  const plane = await startControlPlane({
    controllerManager: ["*"],
    scheduler: true,
    flags: {
      // It taints new nodes until they are ready, and the scheduler may run in between.
      "kube-apiserver": ["--disable-admission-plugins=TaintNodesByCondition"],
      // All scenarios share its clients: throttled to 20 requests a second it would pause, and appear settled.
      "kube-controller-manager": [
        "--kube-api-qps=2000",
        "--kube-api-burst=4000",
        `--cluster-signing-cert-file=${join(folder, "signer.crt")}`,
        `--cluster-signing-key-file=${join(folder, "signer.key")}`,
      ],
      "kube-scheduler": ["--kube-api-qps=2000", "--kube-api-burst=4000"],
    },
  });
  const stop = async (): Promise<void> => {
    await plane.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    return await openRealSide(plane, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

async function openRealSide(plane: ControlPlane, stop: () => Promise<void>): Promise<RealSide> {
  const credentials = { kind: "token", token: plane.admin.token } as const;
  const { url, caCertificate } = plane;
  const transport = new HttpsTransport(
    { server: url, caCertificate, credentials, namespace: "default" },
    { clock: systemClock, maxRetries: 0 },
  );
  const { view, kubelet } = await observe(transport, systemClock);
  const { body } = await transport.send({ method: "GET", path: "/version" });
  return {
    kubernetes: String((body as { readonly gitVersion?: unknown }).gitVersion),
    transport,
    clock: systemClock,
    view,
    kubelet,
    pass: (seconds) => delay(seconds * 1_000),
    async settle(namespace, baseQuietMs = 600) {
      const startedMs = performance.now();
      // On a loaded machine processes are quiet because they wait for CPU.
      const quietMs = baseQuietMs * Math.min(3, Math.max(1, (loadavg()[0] ?? 0) / availableParallelism()));
      for (;;) {
        const lastMs = Math.max(startedMs, view.lastChangeMs(namespace), view.lastChangeMs(""));
        const leftMs = quietMs - (performance.now() - lastMs);
        if (leftMs <= 0 && kubelet.idle) return;
        if (performance.now() - startedMs > settleTimeoutMs)
          throw new Error(`the control plane did not settle within ${settleTimeoutMs / 1_000} s`);
        await delay(Math.max(10, leftMs));
      }
    },
    async [Symbol.asyncDispose]() {
      await kubelet.close();
      await view.close();
      await transport.close();
      await stop();
    },
  };
}
