import type { Cluster } from "@kubewright/cluster";
import type { JsonObject } from "@kubewright/core/json";
import type { Comparison } from "./comparison.js";

/** Creates objects in process, each with a new name. */
export interface Creates {
  readonly cluster: Cluster;
  /** Of the collection. */
  readonly path: string;
  objectNamed(name: string): JsonObject;
}

const rounds = 20;
const createsOfRound = 400;

/** Sends a POST in process. Throws if nothing is created. */
export async function postTo({ transport }: Cluster, path: string, body: JsonObject): Promise<void> {
  const response = await transport.send({ method: "POST", path, body });
  if (response.status !== 201)
    throw new Error(`POST ${path} returned ${response.status}: ${JSON.stringify(response.body)}`);
}

/**
 * Compares the CPU time of a create with that of a peer, in alternating rounds: on a busy machine it varies less than the time that passes. Takes the
 * fastest round: the first ones also compile.
 */
export async function compareCreates(name: string, ours: Creates, theirs: Creates, goal: number): Promise<Comparison> {
  let count = 0;
  const roundOf = async ({ cluster, path, objectNamed }: Creates): Promise<number> => {
    const started = process.cpuUsage();
    for (let index = 0; index < createsOfRound; index++) await postTo(cluster, path, objectNamed(`w-${count++}`));
    const { user, system } = process.cpuUsage(started);
    return user + system;
  };
  const fastest = { ours: Number.POSITIVE_INFINITY, theirs: Number.POSITIVE_INFINITY };
  for (let round = 0; round < rounds; round++) {
    fastest.ours = Math.min(fastest.ours, await roundOf(ours));
    fastest.theirs = Math.min(fastest.theirs, await roundOf(theirs));
  }
  return {
    name,
    unit: "µs of CPU",
    ours: fastest.ours / createsOfRound,
    theirs: fastest.theirs / createsOfRound,
    moreIsBetter: false,
    goal,
  };
}
