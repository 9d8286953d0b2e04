import { OperatorError } from "@kubewright/core/errors";
import type { Transport } from "@kubewright/core/transport";
import { administrator, authenticatedUser, serviceAccountUser } from "./access/index.js";
import { type Handler, InProcessTransport, type InProcessUser } from "./apiserver/index.js";
import { componentUser } from "./component-users.js";
import { metadataOf, textAt } from "./registry/index.js";
import type { Store } from "./storage/index.js";

/** A user that a cluster acts as. */
export interface ActingUser {
  /** Its name. */
  readonly user: string;
  /** Besides `system:authenticated`. @default none */
  readonly groups?: readonly string[];
  /** @default "" */
  readonly uid?: string;
  /** @default none */
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** The in-process transports of a cluster: of its administrator, of its components, and of other users. */
export class ClusterTransports {
  readonly #handler: Handler;
  readonly #store: Store;
  readonly #made = new Set<InProcessTransport>();
  /** Requests of the administrator. */
  readonly transport: Transport;

  constructor(handler: Handler, store: Store) {
    this.#handler = handler;
    this.#store = store;
    this.transport = this.#make({ userOf: () => administrator });
  }

  /** Requests of a user, with the permissions that RBAC grants. */
  as({ user, groups = [], uid = "", extra = {} }: ActingUser): Transport {
    const acting = authenticatedUser(user, groups, { uid, extra });
    return this.#make({ userOf: () => acting });
  }

  /** Requests of a ServiceAccount, `"<namespace>/<name>"`. Throws API_NOT_FOUND if it does not exist. */
  asServiceAccount(account: string): Transport {
    const [namespace = "", name = "", ...rest] = account.split("/");
    if (namespace === "" || name === "" || rest.length > 0)
      throw new TypeError(`Cannot act as ServiceAccount ${JSON.stringify(account)}: write "<namespace>/<name>"`);
    const record = this.#store.bucket("serviceaccounts").get(account);
    if (record === undefined)
      throw new OperatorError(
        "API_NOT_FOUND",
        `Cannot act as ServiceAccount "${account}": it does not exist; create it first`,
      );
    const acting = serviceAccountUser(namespace, name, { uid: textAt(metadataOf(record.object), "uid") });
    return this.#make({ userOf: () => acting });
  }

  /** Requests of a controller, of the scheduler or of a node, by the name of the controller; of kube-controller-manager without one. */
  readonly ofController = (name?: string): Transport =>
    this.#make({ userOf: componentUser(name, this.#store), isTrusted: true });

  async close(): Promise<void> {
    await Promise.all([...this.#made].map((made) => made.close()));
    this.#made.clear();
  }

  #make(user: InProcessUser): InProcessTransport {
    const made = new InProcessTransport(this.#handler, user);
    this.#made.add(made);
    return made;
  }
}
