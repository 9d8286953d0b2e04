/** kubectl keeps what it applied in this annotation, unless the server does the applying. */
const appliedAnnotation = "kubectl.kubernetes.io/last-applied-configuration";
/** How long all annotations of an object may be together, names and values. */
const annotationLimit = 262_144;

/** Whether `kubectl apply` can keep an object in an annotation of itself. What is larger is applied with `--server-side`. */
export function fitsApply(object: {
  readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
}): boolean {
  const own = Object.entries(object.metadata.annotations ?? {}).reduce(
    (sum, pair) => sum + byteLength(pair.join("")),
    0,
  );
  // As Go writes JSON: what could be read as HTML is escaped, and a line end follows.
  const text = JSON.stringify(object).replace(/[<>&\u2028\u2029]/g, "\\u0000");
  return own + byteLength(appliedAnnotation) + byteLength(text) + 1 <= annotationLimit;
}

function byteLength(text: string): number {
  return Buffer.byteLength(text);
}
