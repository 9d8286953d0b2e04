import { OperatorError } from "@kubewright/core/errors";
import type { TransportRequest } from "@kubewright/core/transport";
import type { AnyKind } from "kubewright";
import type { PolicyRule } from "kubewright/permissions";
import { requestedAccess } from "./requested-access.js";

/** Differences between rules and requests, as permissions such as `"patch deployments.apps"`, sorted. */
export interface PermissionDifferences {
  /** Used, but not allowed by any rule. */
  readonly undeclared: readonly string[];
  /** Allowed by a rule, but never used. */
  readonly unused: readonly string[];
}

/** Exceptions of {@link PermissionLog.check}. */
export interface PermissionCheckOptions {
  /** Declared permissions that the tests do not use, such as `"delete deployments.apps"`. Using one is a difference too. @default none */
  readonly neverUsed?: readonly string[];
}

/**
 * Records the permissions that the requests of an operator need. Several clusters can share one log, to combine what their tests use.
 *
 * @example
 * const permissions = new PermissionLog();
 * await using cluster = await testCluster(websiteOperator, { permissions });
 * // ... exercise every feature of the operator ...
 * permissions.check(websiteOperator.rules());
 */
export class PermissionLog {
  readonly #used = new Set<string>();
  /** Needed only without other permissions: declared ones count as used. */
  readonly #alternatives = new Set<string>();

  /** Records the permissions that a request needed: see {@link requestedAccess}. `kinds` are possible owners of the written object. */
  add(request: TransportRequest, status: number, kinds: readonly AnyKind[] = []): void {
    for (const { verb, group, resource, isAlternative } of requestedAccess(request, status, kinds))
      (isAlternative === true ? this.#alternatives : this.#used).add(named(verb, group, resource));
  }

  /** The permissions used, sorted. */
  get used(): readonly string[] {
    return [...this.#used].sort();
  }

  /** Compares the rules with the permissions used. */
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
      unused: [...allowed].filter((one) => !this.#used.has(one) && !this.#alternatives.has(one)).sort(),
    };
  }

  /** Throws PERMISSIONS_DIFFER with every difference, unless the rules allow exactly what was used. */
  check(rules: readonly PolicyRule[], { neverUsed = [] }: PermissionCheckOptions = {}): void {
    const { undeclared, unused } = this.compare(rules);
    const problems = [
      ...undeclared.map((one) => `used but not declared: ${one}`),
      ...unused.filter((one) => !neverUsed.includes(one)).map((one) => `declared but never used: ${one}`),
      ...neverUsed
        .filter((one) => !unused.includes(one))
        .map((one) => `used or not declared, but listed in neverUsed: ${one}`),
    ];
    if (problems.length > 0)
      throw new OperatorError("PERMISSIONS_DIFFER", `Cannot confirm the permissions: ${problems.join("; ")}`);
  }
}

function named(verb: string, group: string, resource: string): string {
  return `${verb} ${resource}${group === "" ? "" : `.${group}`}`;
}
