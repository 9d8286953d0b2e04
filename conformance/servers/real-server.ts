import { startControlPlane } from "@kubewright/testing/control-plane";
import { type Played, type PlayOptions, playSubjects } from "../requests/play-subjects.js";
import type { Subject } from "../test-case.js";
import { HttpsDoor } from "./https-door.js";

/** Patient: a definition takes seconds until it is served, and a namespace until it is gone. */
export const realPlayOptions: PlayOptions = { atOnce: 16, eventMs: 10_000, untilMs: 40_000 };

/** Plays the cases on a freshly started real control plane, with the controllers that keep the API itself true. */
export async function playReal(
  subjects: readonly Subject[],
  options: PlayOptions,
): Promise<{ kubernetes: string; played: Played[] }> {
  await using plane = await startControlPlane({
    controllerManager: ["garbage-collector-controller", "namespace-controller"],
  });
  const door = new HttpsDoor({ url: plane.url, caCertificate: plane.caCertificate, token: plane.admin.token });
  try {
    const version = await door.send({ method: "GET", path: "/version", headers: {}, text: undefined });
    const { gitVersion } = version.body as { gitVersion: string };
    return { kubernetes: gitVersion, played: await playSubjects(door, subjects, options) };
  } finally {
    await door.close();
  }
}
