import type {
  ExecResult,
  LogOptions,
  ObjectPatch,
  PodKind,
  Scale,
  TokenRequestSpec,
  WrittenObject,
} from "../client/index.js";
import type { AnyKind, ReadOf } from "../definition/index.js";
import type { AllowedKind, ContextExecOptions, NameFor, ServiceAccountToken } from "./context-types.js";
import type { AnyUse } from "./uses.js";

/**
 * The functions that `may(kind, verb)` in `uses` allows, beyond those of owned kinds. They are sent as long as the run may write, with its signal.
 */
export interface AllowedActions<Owner extends AnyKind, Uses extends readonly AnyUse[]> {
  /** Patches the status of another object. Needs `may(kind, "patchStatus")`. */
  readonly patchStatus: <C extends AnyKind>(
    kind: AllowedKind<C, Uses, "patchStatus">,
    name: NameFor<Owner, C>,
    patch: ObjectPatch<NoInfer<C>>,
  ) => Promise<ReadOf<C>>;
  /** Evicts a Pod; throws when a PodDisruptionBudget forbids it (`isTooManyRequests`). Needs `may(Pod, "evict")`. */
  readonly evict: <C extends PodKind>(kind: AllowedKind<C, Uses, "evict">, name: NameFor<Owner, C>) => Promise<void>;
  /** Replaces an object; throws (`isConflict`) when it changed since it was read. Needs `may(kind, "update")`. */
  readonly update: <C extends AnyKind>(
    kind: AllowedKind<C, Uses, "update">,
    object: WrittenObject<NoInfer<C>>,
  ) => Promise<ReadOf<C>>;
  /** Sets the desired replicas. Needs `may(kind, "scale")`. */
  readonly scale: <C extends AnyKind>(
    kind: AllowedKind<C, Uses, "scale">,
    name: NameFor<Owner, C>,
    replicas: number,
  ) => Promise<ReadOf<typeof Scale>>;
  /** Desired and actual replicas, from the server. Needs `may(kind, "scale")`. */
  readonly getScale: <C extends AnyKind>(
    kind: AllowedKind<C, Uses, "scale">,
    name: NameFor<Owner, C>,
  ) => Promise<ReadOf<typeof Scale>>;
  /** The log of a container, up to now. Needs `may(Pod, "log")`. */
  readonly logs: <C extends PodKind>(
    kind: AllowedKind<C, Uses, "log">,
    name: NameFor<Owner, C>,
    options?: LogOptions,
  ) => Promise<string>;
  /**
   * Runs a command in a container, to its end. A command that fails does not reject: check its `exitCode`. A run may be repeated at any time, so run what
   * is safe to repeat. Needs `may(Pod, "exec")`.
   *
   * @example
   * const { exitCode } = await exec(Pod, "db-0", { container: "postgres", command: ["pg_isready"], timeout: "5s" });
   */
  readonly exec: <C extends PodKind>(
    kind: AllowedKind<C, Uses, "exec">,
    name: NameFor<Owner, C>,
    options: ContextExecOptions,
  ) => Promise<ExecResult>;
  /** A token for a service account. Needs `may(ServiceAccount, "token")`. */
  readonly token: <C extends AnyKind>(
    kind: AllowedKind<C, Uses, "token">,
    name: NameFor<Owner, C>,
    spec: Partial<TokenRequestSpec>,
  ) => Promise<ServiceAccountToken>;
  /** Binds a Pod to a node. Needs `may(Pod, "bind")`; of Roles, `bind` is an RBAC verb without a function. */
  readonly bind: <C extends PodKind>(
    kind: AllowedKind<C, Uses, "bind">,
    name: NameFor<Owner, C>,
    node: string,
  ) => Promise<void>;
}
