/**
 * The operator of `controller-runtime/main.go` on Kubewright, with the same flags and output. Runs as plain JavaScript with built packages, as for a user.
 */
import { parseArgs } from "node:util";
import { controller, isAlreadyExists, isConflict, operator } from "kubewright";
import { ConfigMap } from "kubewright/k8s/core/v1";
import { Widget } from "./widget.js";

const { values } = parseArgs({
  options: {
    "kubeconfig-file": { type: "string", default: "" },
    workers: { type: "string", default: "1" },
    children: { type: "boolean", default: false },
    objects: { type: "string", default: "0" },
    report: { type: "boolean", default: false },
  },
});
const print = (line: object): void => {
  process.stdout.write(`${JSON.stringify({ ...line, atMs: performance.timeOrigin + performance.now() })}\n`);
};
const objects = Number(values.objects);
const done = new Set<string>();
let seen = false;
let errors = 0;
let conflicts = 0;

function observe(name: string): void {
  if (!seen) print({ event: "first" });
  seen = true;
  if (values.report) print({ event: "reconcile", name });
}

const workers = Number(values.workers);
const withChildren = controller(Widget, {
  name: "widget",
  workers,
  owns: [ConfigMap],
  reconcile: async ({ object, apply, status, saveStatus }) => {
    const { name } = object.metadata;
    observe(name);
    try {
      await apply(ConfigMap, { metadata: { name }, data: { image: object.spec.image ?? "" } });
      status.child = name;
      await saveStatus();
    } catch (error) {
      errors++;
      if (isConflict(error) || isAlreadyExists(error)) conflicts++;
      throw error;
    }
    if (done.size < objects && done.add(name).size === objects) print({ event: "finished", errors, conflicts });
  },
});
const alone = controller(Widget, {
  name: "widget",
  workers,
  reconcile: ({ object }) => Promise.resolve(observe(object.metadata.name)),
});

const benchOperator = operator({ name: "bench", controllers: [values.children ? withChildren : alone] });
print({ event: "starting" });
await benchOperator.run({ kubeconfig: values["kubeconfig-file"], logLevel: "error" });
