import { startControlPlane } from "@kubewright/testing/control-plane";
import { type Played, type PlayOptions, playSubjects } from "../requests/play-subjects.js";
import type { ServerProfile, Subject } from "../test-case.js";
import { HttpsClient } from "./https-client.js";
import { byProfile, serverProfiles } from "./server-profiles.js";

/** Long timeouts: a real server needs seconds to serve a new CRD or to delete a namespace. */
export const realPlayOptions: PlayOptions = { concurrency: 16, eventMs: 10_000, untilMs: 40_000 };

/** The responses of a real server. */
interface RealResponses {
  readonly kubernetes: string;
  readonly played: readonly Played[];
}

/** Runs the cases on new real control planes, one after the other for each profile that the subjects need. */
export async function playReal(subjects: readonly Subject[], options: PlayOptions): Promise<RealResponses> {
  const all: Played[] = [];
  let kubernetes = "";
  for (const [profile, own] of byProfile(subjects)) {
    const responses = await playProfile(profile, own, options);
    all.push(...responses.played);
    kubernetes = responses.kubernetes;
  }
  return { kubernetes, played: all };
}

async function playProfile(
  profile: ServerProfile,
  subjects: readonly Subject[],
  options: PlayOptions,
): Promise<RealResponses> {
  await using plane = await startControlPlane(serverProfiles[profile].real);
  const client = new HttpsClient({ url: plane.url, caCertificate: plane.caCertificate, token: plane.admin.token });
  try {
    const version = await client.send({ method: "GET", path: "/version", headers: {}, text: undefined });
    const { gitVersion } = version.body as { gitVersion: string };
    return { kubernetes: gitVersion, played: await playSubjects(client, subjects, options) };
  } finally {
    await client.close();
  }
}
