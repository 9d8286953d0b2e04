/**
 * The webhooks of `controller-runtime/webhook.go` on Kubewright, with the same flags. Runs as plain JavaScript with built packages, as for a user.
 */
import { parseArgs } from "node:util";
import { webhooks } from "kubewright";
import { serveWebhooks } from "kubewright/webhook";
import { Widget } from "./widget.js";

const { values } = parseArgs({
  options: { "webhook-port": { type: "string", default: "" }, "webhook-certs": { type: "string", default: "" } },
});
const admission = webhooks(Widget, {
  default: (widget) => {
    widget.spec.replicas ??= 1;
  },
  validate: ({ object, deny }) => {
    if ((object.spec.replicas ?? 1) > 100) deny("spec.replicas", "must be at most 100");
  },
});
const server = await serveWebhooks({
  webhooks: [admission],
  address: `127.0.0.1:${values["webhook-port"]}`,
  certDir: values["webhook-certs"],
});
process.once("SIGTERM", () => void server.close());
