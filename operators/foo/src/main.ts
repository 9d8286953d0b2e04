import { parseArgs } from "node:util";
import { fooOperator } from "./index.js";

const { values } = parseArgs({
  options: {
    kubeconfig: { type: "string" },
    master: { type: "string" },
    "install-definitions": { type: "boolean", default: false },
  },
});
await fooOperator.run({
  ...(values.kubeconfig !== undefined && { kubeconfig: values.kubeconfig }),
  ...(values.master !== undefined && { server: values.master }),
  installDefinitions: values["install-definitions"],
});
