/** Creates a Greeting and prints the text of the ConfigMap that the operator makes of it. */
import type { Cluster } from "@kubewright/cluster";
import { createClient } from "kubewright";
import { ConfigMap } from "kubewright/k8s/core/v1";
import { Greeting } from "./greeter.ts";

export async function greet(cluster: Cluster): Promise<void> {
  const client = createClient(cluster.transport);
  await client.create(Greeting, { metadata: { name: "first" }, spec: { name: "world" } });
  for await (const event of await client.watch(ConfigMap)) {
    if (event.type !== "ADDED" || event.object.metadata.name !== "first") continue;
    console.log(event.object.data?.["text"]);
    return;
  }
}
