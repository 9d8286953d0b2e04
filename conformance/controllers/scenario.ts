import { createHash } from "node:crypto";
import type { Step } from "./step.js";

/** A node of one scenario. */
export interface NodeOptions {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** Overrides of 110 pods, 8 CPUs and 32 GiB. */
  readonly capacity?: Readonly<Record<string, string>>;
  readonly taints?: readonly { readonly key: string; readonly value?: string; readonly effect: string }[];
}

/** Options of a scenario. */
export interface ScenarioOptions {
  /**
   * The only nodes of the cluster while it runs; it then runs alone on a real control plane. Without them it shares three equal nodes
   * with other scenarios, and the node of a pod is not compared.
   */
  readonly nodes?: readonly NodeOptions[];
  /** Additional kinds to compare. */
  readonly kinds?: readonly string[];
  /** How long a real control plane must be quiet to count as settled. @default 600 */
  readonly quietMs?: number;
  /** Do not compare which of its own nodes a pod is on. @default false */
  readonly anyNode?: boolean;
}

/** Steps in one namespace, each followed by a snapshot of what the controllers did. */
export interface Scenario extends ScenarioOptions {
  /** A sentence that states what is expected. The recording and known differences refer to it. */
  readonly name: string;
  readonly steps: readonly Step[];
}

/** Scenarios about one controller. */
export interface Area {
  readonly name: string;
  readonly scenarios: readonly Scenario[];
}

/** Steps with options, such as their own nodes. */
export interface StepsWithOptions {
  readonly options: ScenarioOptions;
  readonly steps: readonly Step[];
}

/** The steps of a scenario that needs options. */
export function withOptions(options: ScenarioOptions, steps: readonly Step[]): StepsWithOptions {
  return { options, steps };
}

/** An area: its name, then the steps of each scenario under the name of the scenario. */
export function area(name: string, scenarios: Readonly<Record<string, readonly Step[] | StepsWithOptions>>): Area {
  return {
    name,
    scenarios: Object.entries(scenarios).map(([sentence, given]) =>
      "steps" in given ? { name: sentence, ...given.options, steps: given.steps } : { name: sentence, steps: given },
    ),
  };
}

/** The namespace of a scenario, equal on every cluster. */
export function namespaceOf({ name }: Scenario): string {
  return `s${createHash("sha256").update(name).digest("hex").slice(0, 8)}`;
}
