import { setTimeout as delay } from "node:timers/promises";
import { systemClock } from "@kubewright/core/clock";
import { type ControlPlane, startControlPlane } from "@kubewright/testing/control-plane";
import { HttpsTransport } from "kubewright/transport";
import { lookAt, type Side } from "./run-scenario.js";

/** A real control plane with its controller manager and its scheduler. */
export interface RealSide extends Side, AsyncDisposable {
  /** The version of the server. */
  readonly kubernetes: string;
}

const patienceMs = 90_000;

/** Starts a real control plane; with `nodeLifecycle` one that gives up nodes which renew nothing. */
export async function startRealSide({ nodeLifecycle = false } = {}): Promise<RealSide> {
  const plane = await startControlPlane({
    controllerManager: true,
    scheduler: true,
    flags: {
      // All scenarios share its clients: with the usual 20 requests a second it would rest in between, and look settled.
      "kube-controller-manager": [
        ...(nodeLifecycle ? ["--controllers=*"] : []),
        "--kube-api-qps=2000",
        "--kube-api-burst=4000",
      ],
      "kube-scheduler": ["--kube-api-qps=2000", "--kube-api-burst=4000"],
    },
  });
  try {
    return await openRealSide(plane);
  } catch (error) {
    await plane.stop();
    throw error;
  }
}

async function openRealSide(plane: ControlPlane): Promise<RealSide> {
  const credentials = { kind: "token", token: plane.admin.token } as const;
  const { url, caCertificate } = plane;
  const transport = new HttpsTransport(
    { server: url, caCertificate, credentials, namespace: "default" },
    { clock: systemClock, maxRetries: 0 },
  );
  const { view, kubelet } = await lookAt(transport, systemClock);
  const { body } = await transport.send({ method: "GET", path: "/version" });
  return {
    kubernetes: String((body as { readonly gitVersion?: unknown }).gitVersion),
    transport,
    clock: systemClock,
    view,
    kubelet,
    pass: (seconds) => delay(seconds * 1_000),
    async settle(namespace, quietMs = 600) {
      const beganMs = performance.now();
      for (;;) {
        const lastMs = Math.max(beganMs, view.lastChangeMs(namespace), view.lastChangeMs(""));
        const leftMs = quietMs - (performance.now() - lastMs);
        if (leftMs <= 0 && kubelet.idle) return;
        if (performance.now() - beganMs > patienceMs)
          throw new Error(`it did not settle within ${patienceMs / 1_000} s`);
        await delay(Math.max(10, leftMs));
      }
    },
    async [Symbol.asyncDispose]() {
      await kubelet.close();
      await view.close();
      await transport.close();
      await plane.stop();
    },
  };
}
