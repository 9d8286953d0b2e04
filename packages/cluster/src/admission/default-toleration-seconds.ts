import { childDraft, type Draft, draftsIn } from "../registry/index.js";
import type { AdmissionPlugin } from "./plugin.js";

/** DefaultTolerationSeconds: 300 s for the not-ready and unreachable taints, unless the pod tolerates them itself. */
export const defaultTolerationSeconds: AdmissionPlugin = {
  name: "DefaultTolerationSeconds",
  resources: ["pods"],
  mutate({ operation, subresource, object, old }) {
    if (subresource === "" && operation !== "DELETE" && object["spec"] !== old?.["spec"]) addTolerations(object);
  },
};

function addTolerations(draft: Draft): void {
  const spec = childDraft(draft, "spec");
  const known = draftsIn(spec["tolerations"]);
  const added: Draft[] = [];
  for (const key of ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"]) {
    const isTolerated = known.some(
      (one) =>
        (one["key"] === key || (one["key"] ?? "") === "") &&
        (one["effect"] === "NoExecute" || (one["effect"] ?? "") === ""),
    );
    if (!isTolerated) added.push({ key, operator: "Exists", effect: "NoExecute", tolerationSeconds: 300 });
  }
  if (added.length > 0) spec["tolerations"] = [...known, ...added];
}
