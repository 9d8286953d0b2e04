import type { Authorizer } from "../../access/index.js";
import type { Registry, Resource } from "../../registry/index.js";
import { concerns, type MatchContext, matchContext } from "../matching/index.js";
import { Policy, parseBinding } from "./policy.js";

/** What the policy plugins need. */
export interface PolicyDependencies {
  readonly registry: Registry;
  readonly authorizer: Authorizer;
}

const none: readonly Policy[] = [];

/** The policies of a kind that have bindings, sorted by name. */
export class PolicySource {
  readonly context: MatchContext;
  readonly #registry: Registry;
  readonly #policiesBucket: string;
  readonly #bindingsBucket: string;
  #policies: readonly Policy[] | undefined;
  #generation = -1;
  readonly #byResource = new Map<Resource, readonly Policy[]>();

  /** @param kind - the plural of the policies without their ending: `validatingadmissionpolic` */
  constructor(registry: Registry, kind: "mutating" | "validating") {
    this.#registry = registry;
    this.#policiesBucket = `${kind}admissionpolicies.admissionregistration.k8s.io`;
    this.#bindingsBucket = `${kind}admissionpolicybindings.admissionregistration.k8s.io`;
    this.context = matchContext(registry);
    registry.store.listen((bucket) => {
      if (bucket === this.#policiesBucket || bucket === this.#bindingsBucket) this.#policies = undefined;
    });
  }

  /** The policies whose rules name the resource or an equivalent one. A request may still not match them. */
  concerning(resource: Resource): readonly Policy[] {
    const { generation } = this.#registry;
    if (this.#policies === undefined || this.#generation !== generation) {
      this.#policies = this.#read();
      this.#generation = generation;
      this.#byResource.clear();
    }
    if (this.#policies.length === 0) return none;
    let found = this.#byResource.get(resource);
    if (found === undefined) {
      found = this.#policies.filter(({ criteria }) => concerns(criteria, resource, this.context));
      this.#byResource.set(resource, found);
    }
    return found;
  }

  #read(): readonly Policy[] {
    const { store } = this.#registry;
    const bindings = store
      .bucket(this.#bindingsBucket)
      .list()
      .map(({ object }) => parseBinding(object));
    if (bindings.length === 0) return none;
    const policies = store
      .bucket(this.#policiesBucket)
      .list()
      .map(({ object, key }) => {
        return new Policy(
          object,
          bindings.filter(({ policyName }) => policyName === key),
        );
      });
    return policies.filter((policy) => policy.bindings.length > 0);
  }
}
