import { OperatorError } from "@kubewright/core/errors";
import { isLoadedForGeneration } from "@kubewright/core/meta";

/** Throws CONFIG_INVALID while the operator's module is loaded to generate files: `kubewright generate` must not work on a cluster. */
export function requireStartable(name: string, method: "run" | "runFromArgs" | "start"): void {
  if (!isLoadedForGeneration()) return;
  throw new OperatorError(
    "CONFIG_INVALID",
    `Cannot ${method} operator "${name}": its module is only loaded to generate files; export the operator, and call ${method}() in another file, such as main.ts`,
  );
}
