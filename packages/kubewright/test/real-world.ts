import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { systemClock } from "@kubewright/core/clock";
import { type ControlPlane, startControlPlane } from "@kubewright/testing/control-plane";
import { type Client, createClient } from "../src/client/index.js";
import { crdOf } from "../src/definition/index.js";
import { HttpsTransport, parseKubeconfig } from "../src/transport/index.js";
import { CustomResourceDefinition } from "./kinds.js";
import { Website } from "./website.js";

/** A real kube-apiserver that serves Websites. */
export interface RealWorld {
  readonly plane: ControlPlane;
  readonly transport: HttpsTransport;
  readonly client: Client;
  stop(): Promise<void>;
}

/** Starts a real kube-apiserver with the CRD of Website; with `collectsGarbage`, also its garbage collector. */
export async function startRealWorld({ collectsGarbage = false } = {}): Promise<RealWorld> {
  const plane = await startControlPlane();
  const file = plane.kubeconfigFile(plane.admin);
  const connection = await parseKubeconfig([{ file, text: await readFile(file, "utf8") }]);
  const transport = new HttpsTransport(connection, { clock: systemClock });
  const client = createClient(transport);
  await client.create(CustomResourceDefinition, crdOf(Website));
  await until(async () => (await client.listPage(Website).catch(() => undefined)) !== undefined, "Website is served");
  // After the CRD, which the garbage collector then knows at once.
  if (collectsGarbage) await plane.startControllerManager(["garbage-collector-controller"]);
  return {
    plane,
    transport,
    client,
    stop: async () => {
      await transport.close();
      await plane.stop();
    },
  };
}

/** Waits until the condition holds, for at most 15 s. */
export async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const endMs = systemClock.monotonic() + 15_000;
  while (!(await holds())) {
    if (systemClock.monotonic() > endMs) throw new Error(`Not reached: ${what}`);
    await delay(20);
  }
}
