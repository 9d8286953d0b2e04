/** An object that may have finalizers. */
export interface Finalized {
  readonly metadata: { readonly finalizers?: readonly string[] };
}

/** Whether the object has the finalizer. */
export function containsFinalizer(object: Finalized, finalizer: string): boolean {
  return object.metadata.finalizers?.includes(finalizer) ?? false;
}

/** Adds the finalizer. Returns the same object if it already has it. */
export function addFinalizer<T extends Finalized>(object: T, finalizer: string): T {
  if (containsFinalizer(object, finalizer)) return object;
  return withFinalizers(object, [...(object.metadata.finalizers ?? []), finalizer]);
}

/** Removes the finalizer. Returns the same object if it does not have it. */
export function removeFinalizer<T extends Finalized>(object: T, finalizer: string): T {
  if (!containsFinalizer(object, finalizer)) return object;
  return withFinalizers(object, object.metadata.finalizers?.filter((candidate) => candidate !== finalizer) ?? []);
}

function withFinalizers<T extends Finalized>(object: T, finalizers: readonly string[]): T {
  return { ...object, metadata: { ...object.metadata, finalizers } };
}
