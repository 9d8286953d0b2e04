/** Client-side `kubectl apply` stores the whole object in this annotation. */
const appliedAnnotation = "kubectl.kubernetes.io/last-applied-configuration";
/** Limit of the total size of all annotations, keys and values. */
const annotationLimit = 262_144;

/** Whether an object is small enough for client-side `kubectl apply`. Larger ones need `--server-side`. */
export function fitsApply(object: {
  readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
}): boolean {
  const own = Object.entries(object.metadata.annotations ?? {}).reduce(
    (sum, pair) => sum + byteLength(pair.join("")),
    0,
  );
  // Go's JSON encoder escapes HTML characters and appends a newline.
  const text = JSON.stringify(object).replace(/[<>&\u2028\u2029]/g, "\\u0000");
  return own + byteLength(appliedAnnotation) + byteLength(text) + 1 <= annotationLimit;
}

function byteLength(text: string): number {
  return Buffer.byteLength(text);
}
