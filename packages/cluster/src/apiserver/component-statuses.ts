import { isJsonObject, type JsonObject } from "@kubewright/core/json";
import { type Column, listAt, metadataOf, textAt } from "../registry/index.js";
import type { ComputedResource } from "./computed-resources.js";

/** What a cluster is made of, as far as clients ask for it. Here all of it is one process: what answers is well. */
const components = ["scheduler", "controller-manager", "etcd-0"];

/** The condition that tells whether a component is well. */
function health(object: JsonObject): JsonObject {
  return listAt(object, "conditions").find(isJsonObject) ?? {};
}

const columns: readonly Column[] = [
  { name: "Name", type: "string", format: "name", cell: (object) => textAt(metadataOf(object), "name") },
  {
    name: "Status",
    type: "string",
    cell: (object) => (textAt(health(object), "status") === "True" ? "Healthy" : "Unhealthy"),
  },
  { name: "Message", type: "string", cell: (object) => textAt(health(object), "message") },
  { name: "Error", type: "string", cell: (object) => textAt(health(object), "error") },
];

/** `kubectl get componentstatuses`, which is deprecated and still asked for. */
export const componentStatuses: ComputedResource = {
  group: "",
  version: "v1",
  plural: "componentstatuses",
  singular: "componentstatus",
  kind: "ComponentStatus",
  shortNames: ["cs"],
  namespaced: false,
  columns,
  warning: "v1 ComponentStatus is deprecated in v1.19+",
  list: () =>
    components.map((name) => ({
      metadata: { name },
      conditions: [{ type: "Healthy", status: "True", message: "ok" }],
    })),
};
