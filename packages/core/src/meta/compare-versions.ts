const stages: readonly (string | undefined)[] = ["alpha", "beta", undefined];

/**
 * Compares API versions by Kubernetes' version priority: positive if `a` ranks before `b`, as in v2, v1, v1beta2, v1beta1, v1alpha1.
 * Other names rank after all of these, in alphabetical order.
 */
export function compareVersions(a: string, b: string): number {
  const left = parse(a);
  const right = parse(b);
  if (left === undefined || right === undefined) {
    if (left !== undefined) return 1;
    if (right !== undefined) return -1;
    return a < b ? 1 : a > b ? -1 : 0;
  }
  return left.stage - right.stage || left.major - right.major || left.minor - right.minor;
}

function parse(
  version: string,
): { readonly stage: number; readonly major: number; readonly minor: number } | undefined {
  const match = /^v(\d{1,15})(?:(alpha|beta)(\d{1,15}))?$/.exec(version);
  if (match === null) return undefined;
  return { stage: stages.indexOf(match[2]), major: Number(match[1]), minor: Number(match[3] ?? 0) };
}
