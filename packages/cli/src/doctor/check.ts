/** What a check found. */
export interface CheckResult {
  /** `skipped`: it depends on something that another check found missing. */
  readonly status: "ok" | "warning" | "failed" | "skipped";
  readonly detail: string;
  /** What to do about it. */
  readonly remedy?: string;
}

/** A check and its name. It reports what it finds by its result; what it throws is a failure. */
export interface Check {
  readonly name: string;
  readonly run: () => CheckResult | Promise<CheckResult>;
}

/** A good result. */
export function ok(detail: string): CheckResult {
  return { status: "ok", detail };
}

/** The result of a check; a thrown error is a failure with its message. */
export async function resultOf({ run }: Check): Promise<CheckResult> {
  try {
    return await run();
  } catch (error) {
    return { status: "failed", detail: error instanceof Error ? error.message : String(error) };
  }
}
