import { createHash } from "node:crypto";
import type { Step } from "./step.js";

/** A node that a scenario wants for itself. */
export interface NodeWish {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** Resources beside 110 pods, 8 CPUs and 32 GiB. */
  readonly capacity?: Readonly<Record<string, string>>;
  readonly taints?: readonly { readonly key: string; readonly value?: string; readonly effect: string }[];
}

/** What a scenario wants. */
export interface ScenarioOptions {
  /**
   * The only nodes of the cluster while it runs; it then runs alone on a real control plane. Without them it shares three equal ones
   * with others, and what node a pod is on is not compared.
   */
  readonly nodes?: readonly NodeWish[];
  /** Kinds to look at beside those that all look at. */
  readonly kinds?: readonly string[];
  /** How long a real control plane must be silent until it counts as settled. @default 600 */
  readonly quietMs?: number;
  /** Own nodes are equal too: which of them a pod is on is not compared. @default false */
  readonly anyNode?: boolean;
}

/** Steps in a row in a namespace of its own, each followed by a look at what the controllers made of it. */
export interface Scenario extends ScenarioOptions {
  /** A sentence. The recording and known differences refer to it. */
  readonly name: string;
  readonly steps: readonly Step[];
}

/** Scenarios about one controller. */
export interface Area {
  readonly name: string;
  readonly scenarios: readonly Scenario[];
}

/** Steps that need options, such as nodes of their own. */
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

/** The namespace of a scenario: the same on every cluster. */
export function namespaceOf({ name }: Scenario): string {
  return `s${createHash("sha256").update(name).digest("hex").slice(0, 8)}`;
}
