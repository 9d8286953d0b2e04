import { startControlPlane } from "@kubewright/testing/control-plane";
import { type Played, type PlayOptions, playSubjects } from "../requests/play-subjects.js";
import type { Subject } from "../test-case.js";
import { HttpsClient } from "./https-client.js";

/** Long timeouts: a real server needs seconds to serve a new CRD or to delete a namespace. */
export const realPlayOptions: PlayOptions = { concurrency: 16, eventMs: 10_000, untilMs: 40_000 };

/** Runs the cases on a new real control plane with garbage collection and namespace deletion. */
export async function playReal(
  subjects: readonly Subject[],
  options: PlayOptions,
): Promise<{ kubernetes: string; played: Played[] }> {
  await using plane = await startControlPlane({
    controllerManager: ["garbage-collector-controller", "namespace-controller"],
  });
  const client = new HttpsClient({ url: plane.url, caCertificate: plane.caCertificate, token: plane.admin.token });
  try {
    const version = await client.send({ method: "GET", path: "/version", headers: {}, text: undefined });
    const { gitVersion } = version.body as { gitVersion: string };
    return { kubernetes: gitVersion, played: await playSubjects(client, subjects, options) };
  } finally {
    await client.close();
  }
}
