import { compareResourceVersions, isResourceVersion } from "@kubewright/core/identity";
import { wentBack } from "./went-back.js";

/** The metadata that tells versions of objects apart. */
interface Versioned {
  readonly name: string;
  readonly namespace?: string;
  readonly resourceVersion: string;
}

/** One object of a list, and the version of the list. */
export interface FoundObject {
  readonly resourceVersion: string;
  readonly items: readonly { readonly metadata: Versioned }[];
}

/**
 * The last change of a kind that a watch has seen: as long as the server has it, the server's history contains everything before it.
 *
 * A restored etcd may reach our resourceVersion again before a lost connection is resumed. Then only the objects differ from what we know.
 */
export class LastChange {
  #object: Versioned | undefined;
  #isDeleted = false;

  /** A watch event: the last change so far. */
  changed(object: Versioned, isDeleted: boolean): void {
    this.#object = object;
    this.#isDeleted = isDeleted;
  }

  /** The objects of a list: the one that changed last. */
  listed(objects: readonly { readonly metadata: Versioned }[]): void {
    this.#object = undefined;
    this.#isDeleted = false;
    for (const { metadata } of objects) {
      if (!isResourceVersion(metadata.resourceVersion)) continue;
      const { resourceVersion: newest = "0" } = this.#object ?? {};
      if (compareResourceVersions(metadata.resourceVersion, newest) > 0) this.#object = metadata;
    }
  }

  /**
   * Why the server may not have the changes up to `version`; undefined: it has them. `find` lists the object with this name; without a name, the server's
   * version is enough. An object that changed again counts as missing: whether before or after a restore, only a relist can tell.
   */
  async missing(
    version: string,
    find: (object: Pick<Versioned, "name" | "namespace"> | undefined) => Promise<FoundObject>,
  ): Promise<string | undefined> {
    const object = this.#object;
    const found = await find(object);
    if (wentBack(version, found.resourceVersion)) return `the server is at resourceVersion ${found.resourceVersion}`;
    if (object === undefined || !isResourceVersion(version)) return undefined;
    const same = found.items.find(({ metadata }) => metadata.name === object.name);
    const expected = this.#isDeleted ? undefined : object.resourceVersion;
    return same?.metadata.resourceVersion === expected ? undefined : `"${object.name}" is not as last seen`;
  }
}
