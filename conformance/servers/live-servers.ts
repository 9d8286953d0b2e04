import { startCluster } from "@kubewright/cluster";
import { startControlPlane } from "@kubewright/testing/control-plane";
import type { BothClients } from "../fuzz/index.js";
import type { ServerProfile } from "../test-case.js";
import { HttpsClient } from "./https-client.js";
import { serverProfiles } from "./server-profiles.js";

/** A real control plane and the embedded cluster, both over HTTPS. */
export interface LiveServers extends AsyncDisposable {
  readonly clients: BothClients;
}

/** Starts both, with the same configuration. */
export async function startLiveServers(profile: ServerProfile = "plain"): Promise<LiveServers> {
  const { real, ours } = serverProfiles[profile];
  const plane = await startControlPlane(real);
  try {
    const cluster = await startCluster(ours);
    const { url, caCertificate, adminToken: token } = await cluster.listen();
    const clients = {
      real: new HttpsClient({ url: plane.url, caCertificate: plane.caCertificate, token: plane.admin.token }),
      ours: new HttpsClient({ url, caCertificate, token }),
    };
    return {
      clients,
      async [Symbol.asyncDispose]() {
        await clients.real.close();
        await clients.ours.close();
        await cluster.close();
        await plane.stop();
      },
    };
  } catch (error) {
    await plane.stop();
    throw error;
  }
}
