import { parseArgs } from "node:util";
import { sampleOperator } from "./index.js";

const { values } = parseArgs({
  options: { kubeconfig: { type: "string" }, "install-definitions": { type: "boolean", default: false } },
});
await sampleOperator.run({
  ...(values.kubeconfig !== undefined && { kubeconfig: values.kubeconfig }),
  installDefinitions: values["install-definitions"],
});
