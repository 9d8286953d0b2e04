import type { Clock } from "@kubewright/core/clock";
import { allowAll, type RoleAuthorizer } from "../access/index.js";
import type { Store } from "../storage/index.js";
import { type Admission, admitAll } from "./admission.js";
import { builtinResources } from "./builtin-resources.js";
import { type Extensions, noExtensions } from "./extensions/index.js";
import type { Resource } from "./resource.js";
import type { TokenSigner } from "./token-signer.js";
import type { WriteContext } from "./write-context.js";

/** The dependencies of a {@link Registry}. */
export interface RegistryOptions {
  readonly store: Store;
  readonly clock: Clock;
  random(): number;
  newUid(): string;
  readonly signer: TokenSigner;
  /** Decides what users may grant by roles and bindings. @default everything */
  readonly authorizer?: RoleAuthorizer;
  /** Optional extensions of the server. @default none */
  readonly extensions?: Extensions;
}

/** The served resources, and the dependencies of their verbs. */
export class Registry implements WriteContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly extensions: Extensions;
  readonly authorizer: RoleAuthorizer;
  readonly random: () => number;
  readonly newUid: () => string;
  /** Signs ServiceAccount tokens. */
  readonly signer: TokenSigner;
  /** By `group/version/plural`. */
  readonly #resources = new Map<string, Resource>();
  #admission: Admission = admitAll;
  /** The cached result of {@link storedResources}, until the served resources change. */
  #stored: readonly Resource[] | undefined;
  #generation = 0;

  constructor({
    store,
    clock,
    random,
    newUid,
    signer,
    authorizer = allowAll,
    extensions = noExtensions,
  }: RegistryOptions) {
    this.store = store;
    this.authorizer = authorizer;
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

  /** Sets the admission chain of every later write. */
  useAdmission(admission: Admission): void {
    this.#admission = admission;
  }

  /** Increases when the served resources change: anything derived from them is then stale. */
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

  /** Whether a group version serves any resource. */
  hasVersion(group: string, version: string): boolean {
    for (const resource of this.#resources.values())
      if (resource.group === group && resource.version === version) return true;
    return false;
  }

  /** Whether a group is built in, not defined by CRDs. */
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

  /** One resource per bucket, which covers every stored object once. */
  storedResources(): readonly Resource[] {
    if (this.#stored === undefined) {
      const byBucket = new Map<string, Resource>();
      for (const resource of this.#resources.values())
        if (!byBucket.has(resource.bucket)) byBucket.set(resource.bucket, resource);
      this.#stored = [...byBucket.values()];
    }
    return this.#stored;
  }

  /** Starts to serve a resource; replaces the one with the same group, version and plural. */
  install(resource: Resource): void {
    this.#resources.set(idOf(resource), resource);
    this.#stored = undefined;
    this.#generation++;
  }

  /** Stops serving the resources that match. */
  uninstall(matches: (resource: Resource) => boolean): void {
    for (const [id, resource] of this.#resources) if (matches(resource)) this.#resources.delete(id);
    this.#stored = undefined;
    this.#generation++;
  }
}

function idOf(resource: Resource): string {
  return `${resource.group}/${resource.version}/${resource.plural}`;
}
