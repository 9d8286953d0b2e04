import type { Clock } from "@kubewright/core/clock";
import type { Store } from "../storage/index.js";
import { type Admission, admitAll } from "./admission.js";
import { builtinResources } from "./builtin-resources.js";
import { type Extensions, noExtensions } from "./extensions/index.js";
import type { Resource } from "./resource.js";
import type { TokenSigner } from "./token-signer.js";
import type { WriteContext } from "./write-context.js";

/** What a registry is made of. */
export interface RegistryOptions {
  readonly store: Store;
  readonly clock: Clock;
  random(): number;
  newUid(): string;
  readonly signer: TokenSigner;
  /** What is added to the server. @default nothing */
  readonly extensions?: Extensions;
}

/** The resources that are served now, and what their verbs work with. */
export class Registry implements WriteContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly extensions: Extensions;
  readonly random: () => number;
  readonly newUid: () => string;
  /** Signs tokens of service accounts. */
  readonly signer: TokenSigner;
  /** By `group/version/plural`. */
  readonly #resources = new Map<string, Resource>();
  #admission: Admission = admitAll;
  /** What {@link storedResources} gives, until what is served changes. */
  #stored: readonly Resource[] | undefined;
  #generation = 0;

  constructor({ store, clock, random, newUid, signer, extensions = noExtensions }: RegistryOptions) {
    this.store = store;
    this.clock = clock;
    this.extensions = extensions;
    this.random = random;
    this.newUid = newUid;
    this.signer = signer;
    for (const resource of builtinResources()) this.#resources.set(idOf(resource), resource);
  }

  get admission(): Admission {
    return this.#admission;
  }

  /** From now on every write passes this admission. */
  useAdmission(admission: Admission): void {
    this.#admission = admission;
  }

  /** Grows whenever what is served changes: what was derived from it is out of date. */
  get generation(): number {
    return this.#generation;
  }

  /** Every resource in every version, built-in ones first. */
  resources(): Resource[] {
    return [...this.#resources.values()];
  }

  find(group: string, version: string, plural: string): Resource | undefined {
    return this.#resources.get(`${group}/${version}/${plural}`);
  }

  /** Whether anything is served in a group version. */
  hasVersion(group: string, version: string): boolean {
    for (const resource of this.#resources.values())
      if (resource.group === group && resource.version === version) return true;
    return false;
  }

  /** Whether a group belongs to the server itself, not to definitions. */
  isBuiltinGroup(group: string): boolean {
    for (const resource of this.#resources.values())
      if (resource.group === group && resource.origin === "builtin") return true;
    return false;
  }

  /** The resource of a kind. */
  findKind(group: string, version: string, kind: string): Resource | undefined {
    for (const resource of this.#resources.values())
      if (resource.group === group && resource.version === version && resource.kind === kind) return resource;
    return undefined;
  }

  /** One resource for each bucket: enough to reach every stored object once. */
  storedResources(): readonly Resource[] {
    if (this.#stored === undefined) {
      const byBucket = new Map<string, Resource>();
      for (const resource of this.#resources.values())
        if (!byBucket.has(resource.bucket)) byBucket.set(resource.bucket, resource);
      this.#stored = [...byBucket.values()];
    }
    return this.#stored;
  }

  /** Begins to serve a resource, in place of an earlier form of it. */
  install(resource: Resource): void {
    this.#resources.set(idOf(resource), resource);
    this.#stored = undefined;
    this.#generation++;
  }

  /** Stops to serve what `matches`. */
  uninstall(matches: (resource: Resource) => boolean): void {
    for (const [id, resource] of this.#resources) if (matches(resource)) this.#resources.delete(id);
    this.#stored = undefined;
    this.#generation++;
  }
}

function idOf(resource: Resource): string {
  return `${resource.group}/${resource.version}/${resource.plural}`;
}
