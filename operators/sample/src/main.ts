import { parseArgs } from "node:util";
import { sampleOperator } from "./index.js";

const { values } = parseArgs({
  options: { kubeconfig: { type: "string" }, "install-crds": { type: "boolean", default: false } },
});
await sampleOperator.run({
  ...(values.kubeconfig !== undefined && { kubeconfig: values.kubeconfig }),
  installCRDs: values["install-crds"],
});
