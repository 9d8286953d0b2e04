import type { Client } from "../src/client/index.js";

/** Whether the server streams lists: the feature gate WatchList is off in Kubernetes 1.33, and on from 1.34. */
export async function streamsLists(client: Client): Promise<boolean> {
  return Number.parseInt((await client.version()).minor, 10) >= 34;
}
