import { isJsonObject, type JsonObject } from "@kubewright/core/json";
import { type Column, listAt, metadataOf, textAt } from "../registry/index.js";
import type { ComputedResource } from "./computed-resources.js";

/** The components that clients expect. All run in this process, so a response implies that they are healthy. */
const components = ["scheduler", "controller-manager", "etcd-0"];

/** The Healthy condition of a component. */
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

/** `kubectl get componentstatuses`: deprecated, but still in use. */
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
