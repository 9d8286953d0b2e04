import { OperatorError } from "@kubewright/core/errors";
import type { TransportRequest } from "@kubewright/core/transport";
import type { AnyKind } from "kubewright";
import type { PolicyRule } from "kubewright/permissions";
import { requestedAccess } from "./requested-access.js";

/** How permissions differ from what was done, each as `"patch deployments.apps"`, sorted. */
export interface PermissionDifferences {
  /** Done, and no rule allows it. */
  readonly undeclared: readonly string[];
  /** Allowed by a rule, and never done. */
  readonly unused: readonly string[];
}

/** What is held against the rules. */
export interface PermissionCheckOptions {
  /** Permissions that the tests do not come to use, each as `"delete deployments.apps"`. One of them that is used is a difference too. @default none */
  readonly neverUsed?: readonly string[];
}

/**
 * Remembers for which permissions an operator asked an API server. One log may be given to several clusters, for what their tests do together.
 *
 * @example
 * const permissions = new PermissionLog();
 * await using cluster = await testCluster(websiteOperator, { permissions });
 * // ... what the operator can do ...
 * permissions.check(websiteOperator.rules());
 */
export class PermissionLog {
  readonly #used = new Set<string>();

  /** Takes down what a request needed: see {@link requestedAccess}. `kinds` are those that may own what is written. */
  add(request: TransportRequest, status: number, kinds: readonly AnyKind[] = []): void {
    for (const { verb, group, resource } of requestedAccess(request, status, kinds))
      this.#used.add(named(verb, group, resource));
  }

  /** What was done, sorted. */
  get used(): readonly string[] {
    return [...this.#used].sort();
  }

  /** How the rules differ from what was done. */
  compare(rules: readonly PolicyRule[]): PermissionDifferences {
    const allowed = new Set(
      rules.flatMap(({ apiGroups, resources, verbs }) =>
        apiGroups.flatMap((group) =>
          resources.flatMap((resource) => verbs.map((verb) => named(verb, group, resource))),
        ),
      ),
    );
    return {
      undeclared: this.used.filter((one) => !allowed.has(one)),
      unused: [...allowed].filter((one) => !this.#used.has(one)).sort(),
    };
  }

  /** Throws PERMISSIONS_DIFFER, which names every difference in both directions, unless the rules allow exactly what was done. */
  check(rules: readonly PolicyRule[], { neverUsed = [] }: PermissionCheckOptions = {}): void {
    const { undeclared, unused } = this.compare(rules);
    const problems = [
      ...undeclared.map((one) => `used and not declared: ${one}`),
      ...unused.filter((one) => !neverUsed.includes(one)).map((one) => `declared and never used: ${one}`),
      ...neverUsed
        .filter((one) => !unused.includes(one))
        .map((one) => `used or not declared, and said to be never used: ${one}`),
    ];
    if (problems.length > 0)
      throw new OperatorError("PERMISSIONS_DIFFER", `Cannot confirm the permissions: ${problems.join("; ")}`);
  }
}

function named(verb: string, group: string, resource: string): string {
  return `${verb} ${resource}${group === "" ? "" : `.${group}`}`;
}
