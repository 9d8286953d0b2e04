import type { AnyKind, ReadOf, StatusOf, WriteMeta, WriteOf } from "../definition/index.js";
import type { ApplyOptions, ReadOptions, WriteOptions } from "./client-options.js";
import type { ObjectPatch } from "./object-patch.js";

/**
 * What a subresource takes. Type, name and namespace are filled in; which fields it looks at is the subresource's own: `approval` takes a status,
 * `finalize` a spec.
 */
export type SubresourceBody<B extends AnyKind> = {
  readonly metadata?: WriteMeta & { readonly resourceVersion?: string; readonly uid?: string };
  readonly status?: StatusOf<B>;
} & Partial<WriteOf<B>>;

/** One subresource of one object. A verb that the server does not have is thrown as `isMethodNotAllowed`. */
export interface Subresource<B extends AnyKind> {
  /** Reads it. */
  get(options?: ReadOptions): Promise<ReadOf<B>>;
  /** Carries out an action, for instance `token`, `binding`. Returns the server's response. */
  create(body: SubresourceBody<B>, options?: WriteOptions): Promise<ReadOf<B>>;
  /** Replaces it. */
  update(body: SubresourceBody<B>, options?: WriteOptions): Promise<ReadOf<B>>;
  /** Patches it. */
  patch(patch: ObjectPatch<B>, options?: WriteOptions): Promise<ReadOf<B>>;
  /** Server-side apply of the fields that the subresource has. */
  apply(body: SubresourceBody<B>, options?: ApplyOptions): Promise<ReadOf<B>>;
}
