import { startCluster } from "@kubewright/cluster";
import { startControlPlane } from "@kubewright/testing/control-plane";
import type { BothDoors } from "../fuzz/index.js";
import { HttpsDoor } from "./https-door.js";

/** A real control plane and the embedded cluster, both over HTTPS. */
export interface LiveServers extends AsyncDisposable {
  readonly doors: BothDoors;
}

/** Starts both, each with what keeps the API itself true and without workload controllers. */
export async function startLiveServers(): Promise<LiveServers> {
  const plane = await startControlPlane({
    controllerManager: ["garbage-collector-controller", "namespace-controller"],
  });
  try {
    const cluster = await startCluster({ protectVolumes: true });
    const { url, caCertificate, adminToken: token } = await cluster.listen();
    const doors = {
      real: new HttpsDoor({ url: plane.url, caCertificate: plane.caCertificate, token: plane.admin.token }),
      ours: new HttpsDoor({ url, caCertificate, token }),
    };
    return {
      doors,
      async [Symbol.asyncDispose]() {
        await doors.real.close();
        await doors.ours.close();
        await cluster.close();
        await plane.stop();
      },
    };
  } catch (error) {
    await plane.stop();
    throw error;
  }
}
