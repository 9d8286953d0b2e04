import { OperatorError } from "@kubewright/core/errors";
import { isJsonObject, type JsonObject } from "@kubewright/core/json";
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
    const derived = this.#operator.rules();
    const { owner } = denial;
    if (owner === undefined) {
      const [plural] = denial.resource.split("/");
      const kind = (await this.#listed(denial.path)).find((one) => one["name"] === plural)?.["kind"];
      const named = typeof kind === "string" ? kind : undefined;
      return new OperatorError("API_FORBIDDEN", describeDenial(denial, { name, derived }, named));
    }
    const root = owner.apiVersion.includes("/") ? "/apis" : "/api";
    const found = (await this.#listed(`${root}/${owner.apiVersion}/`)).find(
      (one) => one["kind"] === owner.kind && !String(one["name"]).includes("/"),
    );
    const resource = `${String(found?.["name"] ?? owner.kind)}/finalizers`;
    return new OperatorError("API_FORBIDDEN", describeDenial({ ...denial, resource }, { name, derived }, owner.kind));
  }

  /** The resources of the group and version of a path; none for another path. */
  async #listed(path: string): Promise<readonly JsonObject[]> {
    const [, groupVersion] = /^(\/api\/[^/]+|\/apis\/[^/]+\/[^/]+)\//.exec(path) ?? [];
    if (groupVersion === undefined) return [];
    const { body } = await this.#administrator.send({ method: "GET", path: groupVersion });
    const { resources } = isJsonObject(body) ? body : {};
    return Array.isArray(resources) ? resources.filter(isJsonObject) : [];
  }
}
