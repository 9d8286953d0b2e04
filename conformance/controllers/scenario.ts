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

/** A scenario: its name, what it wants, then its steps. */
export function scenario(name: string, options: ScenarioOptions, ...steps: readonly Step[]): Scenario {
  return { name, ...options, steps };
}

/** The namespace of a scenario: the same on every cluster. */
export function namespaceOf({ name }: Scenario): string {
  return `s${createHash("sha256").update(name).digest("hex").slice(0, 8)}`;
}
