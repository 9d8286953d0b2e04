import type { Decision, HeldRules, PolicyRule, ResourceAttributes } from "../authorizer.js";
import { matchesPath, matchesResource, namesOf } from "./policy-rule.js";

/** The rules that one binding grants, or why its role cannot be read. */
export type Grant =
  | { readonly kind: "rules"; readonly rules: readonly PolicyRule[]; readonly decision: Decision }
  | { readonly kind: "error"; readonly error: string };

/** A rule that allows a verb on a resource. */
interface Match {
  /** Undefined for all names. */
  readonly names: readonly string[] | undefined;
  readonly decision: Decision;
}

/** The rules that allow a verb on a resource in a namespace, and the decision without one. */
interface Matches {
  readonly matches: readonly Match[];
  readonly denied: Decision;
}

/** Number of cached verb, resource and namespace combinations of a user. */
const maxCached = 2_000;

/** The rules of one user. Decisions are cached; create a new instance when a role or a binding changes. */
export class UserRules {
  readonly #cluster: readonly Grant[];
  readonly #byNamespace: ReadonlyMap<string, readonly Grant[]>;
  readonly #cached = new Map<string, Matches>();

  constructor(cluster: readonly Grant[], byNamespace: ReadonlyMap<string, readonly Grant[]>) {
    this.#cluster = cluster;
    this.#byNamespace = byNamespace;
  }

  /** Decides on a request for a resource. */
  decide(attributes: ResourceAttributes): Decision {
    const { verb, group, resource, subresource, namespace, name } = attributes;
    const key = `${verb} ${group} ${resource} ${subresource} ${namespace}`;
    let found = this.#cached.get(key);
    if (found === undefined) {
      if (this.#cached.size >= maxCached) this.#cached.clear();
      found = this.#match(attributes);
      this.#cached.set(key, found);
    }
    for (const { names, decision } of found.matches) if (names === undefined || names.includes(name)) return decision;
    return found.denied;
  }

  /** Decides on a request for a non-resource URL. */
  decidePath(verb: string, path: string): Decision {
    for (const grant of this.#cluster)
      if (grant.kind === "rules" && grant.rules.some((rule) => matchesPath(rule, verb, path))) return grant.decision;
    return denial(this.#cluster);
  }

  /** All rules in a namespace; in the cluster scope if it is empty. */
  held(namespace: string): HeldRules {
    const grants = this.#grants(namespace);
    return {
      rules: grants.flatMap((grant) => (grant.kind === "rules" ? grant.rules : [])),
      errors: grants.flatMap((grant) => (grant.kind === "error" ? grant.error : [])),
    };
  }

  #grants(namespace: string): readonly Grant[] {
    const more = namespace === "" ? undefined : this.#byNamespace.get(namespace);
    return more === undefined ? this.#cluster : [...this.#cluster, ...more];
  }

  #match(attributes: ResourceAttributes): Matches {
    const grants = this.#grants(attributes.namespace);
    const matches = grants.flatMap((grant) =>
      grant.kind === "error"
        ? []
        : grant.rules
            .filter((rule) => matchesResource(rule, attributes))
            .map((rule) => ({ names: namesOf(rule), decision: grant.decision })),
    );
    return { matches, denied: denial(grants) };
  }
}

const denied: Decision = { allowed: false, reason: "" };

function denial(grants: readonly Grant[]): Decision {
  const errors = grants.flatMap((grant) => (grant.kind === "error" ? grant.error : []));
  return errors.length === 0 ? denied : { allowed: false, reason: `RBAC: ${joinErrors(errors)}` };
}

/** Several errors as Go's aggregate prints them. */
export function joinErrors(errors: readonly string[]): string {
  const unique = [...new Set(errors)];
  return unique.length === 1 ? (unique[0] ?? "") : `[${unique.join(", ")}]`;
}
