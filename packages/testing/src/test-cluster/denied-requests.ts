import { OperatorError } from "@kubewright/core/errors";
import { isJsonObject } from "@kubewright/core/json";
import type { Transport } from "@kubewright/core/transport";
import type { Operator } from "kubewright";
import { type Denial, describeDenial } from "../permissions/index.js";

/** The first request of an operator that RBAC rejected, until it is reported. */
export class DeniedRequests {
  readonly #operator: Operator;
  readonly #administrator: Transport;
  #first: Denial | undefined;
  #whenDenied: (() => void) | undefined;

  /** `administrator` finds out the kind of a denied resource. */
  constructor(operator: Operator, administrator: Transport) {
    this.#operator = operator;
    this.#administrator = administrator;
  }

  add(denial: Denial): void {
    this.#first ??= denial;
    this.#whenDenied?.();
  }

  /** Whether a request was denied that {@link takeError} has not returned yet. */
  get any(): boolean {
    return this.#first !== undefined;
  }

  /** Runs `start` with a signal that the first denial aborts: an operator without permission to list a kind would wait for its cache forever. */
  async duringStart<T>(start: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const abort = new AbortController();
    this.#whenDenied = () => abort.abort();
    try {
      return await start(abort.signal);
    } catch (error) {
      throw (await this.takeError()) ?? error;
    } finally {
      this.#whenDenied = undefined;
    }
  }

  /** API_FORBIDDEN with the request and what to add; undefined if none was denied since the last call. */
  async takeError(): Promise<OperatorError | undefined> {
    const denial = this.#first;
    this.#first = undefined;
    if (denial === undefined) return undefined;
    const { name } = this.#operator;
    const kind = await this.#kindOf(denial);
    return new OperatorError("API_FORBIDDEN", describeDenial(denial, { name, derived: this.#operator.rules() }, kind));
  }

  /** Undefined for an unknown resource. */
  async #kindOf({ path, resource }: Denial): Promise<string | undefined> {
    const [, groupVersion] = /^(\/api\/[^/]+|\/apis\/[^/]+\/[^/]+)\//.exec(path) ?? [];
    if (groupVersion === undefined) return undefined;
    const { body } = await this.#administrator.send({ method: "GET", path: groupVersion });
    const { resources } = isJsonObject(body) ? body : {};
    const [plural] = resource.split("/");
    const listed = Array.isArray(resources) ? resources.filter(isJsonObject) : [];
    const found = listed.find(({ name }) => name === plural)?.["kind"];
    return typeof found === "string" ? found : undefined;
  }
}
