import { serviceAccountUser, type User } from "../access/index.js";
import {
  ApiFailure,
  andThen,
  changeObject,
  childDraft,
  type Draft,
  deleteObject,
  draftOf,
  type Eventually,
  metadataOf,
  type PropagationPolicy,
  type Registry,
  type Resource,
  textAt,
} from "../registry/index.js";
import type { StoredRecord } from "../storage/index.js";

/** Name and uid tell the object apart from a later one of the same name. */
function targetOf({ object }: StoredRecord) {
  const metadata = metadataOf(object);
  return { namespace: textAt(metadata, "namespace"), name: textAt(metadata, "name"), uid: textAt(metadata, "uid") };
}

/**
 * Writes of a controller that kube-controller-manager runs: as its ServiceAccount and through admission, as in a real cluster, but without the transport.
 *
 * An object that is gone, or replaced by another one of the same name, is left alone. Other rejections are thrown.
 */
export class ControllerWrites {
  readonly #registry: Registry;
  readonly #user: User;

  /** `account` is the controller's ServiceAccount in kube-system. */
  constructor(registry: Registry, account: string) {
    this.#registry = registry;
    this.#user = serviceAccountUser("kube-system", account);
  }

  delete(
    resource: Resource,
    record: StoredRecord,
    options: { readonly propagationPolicy: PropagationPolicy; readonly isOfCollection?: boolean },
  ): Eventually<void> {
    const { uid, ...target } = targetOf(record);
    return unlessGone(() =>
      deleteObject(this.#registry, resource, target, {
        ...options,
        dryRun: false,
        preconditions: { uid },
        sent: { propagationPolicy: options.propagationPolicy, preconditions: { uid } },
        user: this.#user,
        warn() {},
      }),
    );
  }

  /** Changes the metadata, with the field manager of kube-controller-manager. */
  changeMetadata(resource: Resource, record: StoredRecord, change: (metadata: Draft) => void): Eventually<void> {
    const { uid, ...target } = targetOf(record);
    const options = {
      dryRun: false,
      manager: "kube-controller-manager",
      fieldValidation: "Ignore",
      user: this.#user,
      warn() {},
    } as const;
    return unlessGone(() =>
      changeObject(
        { context: this.#registry, resource, target: { ...target, subresource: "" }, options },
        {
          make(old) {
            const draft = draftOf(old);
            const metadata = childDraft(draft, "metadata");
            if (textAt(metadata, "uid") === uid) change(metadata);
            return draft;
          },
        },
      ),
    );
  }
}

function unlessGone(write: () => Eventually<unknown>): Eventually<void> {
  return orElse(
    () => andThen(write(), () => undefined),
    (error) => {
      const code = error instanceof ApiFailure ? error.status.code : undefined;
      if (code !== 404 && code !== 409) throw error;
    },
  );
}

/** Waits for a write, if it is awaited, and calls `onFailure` if it fails. */
export function orElse(write: () => Eventually<void>, onFailure: (error: unknown) => void): Eventually<void> {
  try {
    const written = write();
    return written instanceof Promise ? written.catch(onFailure) : undefined;
  } catch (error) {
    return onFailure(error);
  }
}

/** Waits for all writes, if one of them is awaited. Every write is tried; the first failure is thrown. */
export function allWritten(writes: readonly (() => Eventually<void>)[]): Eventually<void> {
  const failures: unknown[] = [];
  const tried = writes.map((write) => orElse(write, (error) => void failures.push(error)));
  const awaited = tried.filter((one) => one instanceof Promise);
  return andThen(awaited.length === 0 ? undefined : Promise.all(awaited), () => {
    if (failures.length > 0) throw failures[0];
  });
}
