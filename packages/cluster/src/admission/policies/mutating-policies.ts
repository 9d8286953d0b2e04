import { deepEqual, type JsonObject } from "@kubewright/core/json";
import {
  type AdmissionRequest,
  ApiFailure,
  andThen,
  draftOf,
  type Eventually,
  forbidden,
  internalError,
  textAt,
} from "../../registry/index.js";
import { requestObject } from "../expressions/index.js";
import { admittedObjects, convertObject, isExempt, replaceAdmitted } from "../matching/index.js";
import type { AdmissionPlugin } from "../plugin.js";
import type { Reinvocation } from "../reinvocation.js";
import { rejectionName } from "../rejection.js";
import { OutOfBudget, PolicyEvaluation } from "./evaluation.js";
import { inOrder } from "./in-order.js";
import { type Invocation, invocationsOf, namespaceObject } from "./invocations.js";
import { applyMutation, MutationProblem } from "./mutation.js";
import type { Binding, Policy } from "./policy.js";
import { type PolicyDependencies, PolicySource } from "./policy-source.js";

const pluginName = "MutatingAdmissionPolicy";

/** MutatingAdmissionPolicy: applies the mutations of all policies that a request matches, one after the other. */
export function mutatingPolicies(dependencies: PolicyDependencies): AdmissionPlugin {
  const source = new PolicySource(dependencies.registry, "mutating");
  return {
    name: pluginName,
    // Only a conversion webhook makes it wait.
    mayWait: (resource) => resource.convert !== undefined && source.concerning(resource).length > 0,
    mutate(request, _context, reinvocation) {
      if (request.operation === "DELETE" || isExempt(request)) return;
      const policies = source.concerning(request.resource);
      if (policies.length === 0) return;
      const { registry } = dependencies;
      const uses = policies.flatMap((policy) => invocationsOf(policy, request, source.context, registry));
      const failures = uses.flatMap((use): readonly PolicyFailure[] =>
        use.kind === "misconfiguration" ? [{ ...use, reason: "" }] : [],
      );
      const invocations = uses.filter((use) => use.kind === "invocation");
      const run = new MutatingRun(request, dependencies, reinvocation);
      return andThen(invocations.length === 0 ? undefined : run.apply(invocations), () => {
        reject(request, [...failures, ...run.failures]);
      });
    },
  };
}

interface PolicyFailure {
  readonly policy: Policy;
  readonly binding: Binding | undefined;
  readonly message: string;
  /** Empty for a policy that cannot be used. */
  readonly reason: string;
}

/** Throws the rejection for the policies that failed, unless their failurePolicy is Ignore. */
function reject(request: AdmissionRequest, failures: readonly PolicyFailure[]): void {
  const counted = failures.filter(({ policy }) => !policy.failsOpen);
  const messages = counted.map(({ policy, binding, message }) =>
    binding === undefined
      ? `policy "${policy.name}" denied request: ${message}`
      : `policy '${policy.name}' with binding '${binding.name}' denied request: ${message}`,
  );
  const [first] = messages;
  if (first === undefined) return;
  const causes = messages.map((message) => ({ message }));
  const { status } = forbidden(request.resource, rejectionName(request), first, causes);
  // As in kube-apiserver, the code is that of Forbidden, whatever the reason is.
  throw new ApiFailure(403, counted[0]?.reason || "Forbidden", first, status.details);
}

/** What the plugin remembers between its two runs for a request. */
interface ReinvocationState {
  lastOutput: JsonObject | undefined;
  /** Policies that ran, and run again if the object changes later. */
  readonly invoked: Set<string>;
  readonly due: Set<string>;
}

/** One run over the policies of a request. */
class MutatingRun {
  readonly failures: PolicyFailure[] = [];
  readonly #request: AdmissionRequest;
  readonly #dependencies: PolicyDependencies;
  readonly #reinvocation: Reinvocation;
  readonly #state: ReinvocationState;
  /** Whether a mutation was applied, also one that changed nothing. */
  #isApplied = false;

  constructor(request: AdmissionRequest, dependencies: PolicyDependencies, reinvocation: Reinvocation) {
    this.#request = request;
    this.#dependencies = dependencies;
    this.#reinvocation = reinvocation;
    this.#state = reinvocation.state<ReinvocationState>(pluginName, () => {
      return { lastOutput: undefined, invoked: new Set(), due: new Set() };
    });
  }

  apply(invocations: readonly Invocation[]): Eventually<void> {
    const { lastOutput } = this.#state;
    const isChanged = lastOutput === undefined || !deepEqual(lastOutput, this.#request.object as JsonObject);
    // Another plugin has changed the object since.
    if (this.#reinvocation.isReinvocation && isChanged) this.#requireReinvocation();
    return andThen(
      inOrder(invocations, (invocation) => this.#invoke(invocation)),
      () => {
        if (this.#isApplied) {
          this.#requireReinvocation();
          this.#reinvocation.require();
        }
        this.#state.lastOutput = draftOf(this.#request.object as JsonObject) as JsonObject;
      },
    );
  }

  #requireReinvocation(): void {
    const { invoked, due } = this.#state;
    for (const key of invoked) due.add(key);
    invoked.clear();
  }

  #invoke(invocation: Invocation): Eventually<void> {
    const { policy } = invocation;
    return andThen(this.#evaluation(invocation), (evaluation) => {
      const conditions = evaluation.conditions(policy.failsOpen);
      if (conditions.kind === "failed") return this.#fail(invocation, conditions.message);
      if (conditions.kind === "differ") return;
      const key = keyOf(invocation);
      if (this.#reinvocation.isReinvocation && !this.#state.due.has(key)) return;
      const before = draftOf(this.#request.object as JsonObject) as JsonObject;
      const mutations = policy.spec.mutations?.map((_mutation, index) => index) ?? [];
      return andThen(
        inOrder(mutations, (index) => this.#mutate(invocation, index)),
        () => {
          if (!deepEqual(before, this.#request.object as JsonObject)) this.#requireReinvocation();
          if (policy.isReinvoked) this.#state.invoked.add(key);
        },
      );
    });
  }

  #mutate(invocation: Invocation, index: number): Eventually<void> {
    const { policy, match } = invocation;
    return andThen(this.#evaluation(invocation), (evaluation) => {
      const object = evaluation.object;
      const [result] = this.#attempt(invocation, () => evaluation.evaluate([policy.compiled.mutations[index]])) ?? [];
      if (object === undefined || result === undefined) return;
      if (result.kind === "failed") return this.#fail(invocation, withoutPrefix(result.message));
      const patchType = policy.spec.mutations?.[index]?.patchType ?? "";
      const changed = this.#attempt(invocation, () => applyMutation(patchType, result.value, object, match.resource));
      if (changed === undefined) return;
      this.#isApplied = true;
      if (changed === object && object["kind"] === this.#request.object["kind"]) return;
      return andThen(convertObject(changed, match.resource, this.#request.resource), (converted) => {
        replaceAdmitted(this.#request, draftOf(converted) as JsonObject, (why) => internalError(why));
      });
    });
  }

  /** Undefined if it failed, which is recorded. */
  #attempt<T>(invocation: Invocation, attempt: () => T): T | undefined {
    try {
      return attempt();
    } catch (error) {
      if (!(error instanceof OutOfBudget || error instanceof MutationProblem)) throw error;
      this.#fail(invocation, error.message);
      return undefined;
    }
  }

  #fail({ policy, binding }: Invocation, message: string): void {
    this.failures.push({ policy, binding, message, reason: "Invalid" });
  }

  /** The evaluation of a policy with the object as it is now. */
  #evaluation({ policy, match, params }: Invocation): Eventually<PolicyEvaluation> {
    const { registry, authorizer } = this.#dependencies;
    const namespace = namespaceObject(this.#request, registry);
    return andThen(admittedObjects(this.#request, match.resource), (objects) => {
      const request = requestObject(this.#request, match);
      const { user } = this.#request;
      return new PolicyEvaluation(policy.compiled, { request, ...objects, namespace, params, user, authorizer });
    });
  }
}

/** The error of a mutation that does not compile has no prefix. */
function withoutPrefix(message: string): string {
  return message.replace(/^compilation error: /, "");
}

function keyOf({ policy, binding, params }: Invocation): string {
  const metadata = (params?.["metadata"] ?? {}) as JsonObject;
  return [policy.name, binding.name, textAt(metadata, "namespace"), textAt(metadata, "name")].join("/");
}
