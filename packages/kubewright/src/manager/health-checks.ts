/** Fails by throwing; the reason is logged, not returned to the client. */
export type HealthCheck = () => void | Promise<void>;

/** The response to a health request. */
export interface HealthAnswer {
  readonly status: number;
  readonly body: string;
  /** Why checks failed, by name; for the log. */
  readonly failures: Readonly<Record<string, unknown>>;
}

/**
 * Handles `/healthz` or `/readyz` over a set of named checks, as Kubernetes components do.
 *
 * `path` is what follows the endpoint: "" for all checks, `/name` for one. All: 200 with `ok`, or 500 with the list; `?verbose` always
 * lists; `?exclude=name` skips one, and warns when there is none of that name. Without any check a `ping` passes.
 */
export async function answerHealth(
  checks: Readonly<Record<string, HealthCheck>>,
  path: string,
  query: URLSearchParams,
): Promise<HealthAnswer> {
  const all: [string, HealthCheck][] = Object.keys(checks).length > 0 ? Object.entries(checks) : [["ping", () => {}]];
  const wanted = path.replace(/^\//, "");
  if (wanted !== "") {
    const check = all.find(([name]) => name === wanted);
    if (!check) return { status: 404, body: "404 page not found\n", failures: {} };
    const failure = await failureOf(check[1]);
    return failure === undefined
      ? { status: 200, body: "ok", failures: {} }
      : { status: 500, body: `internal server error: check "${wanted}" failed\n`, failures: { [wanted]: failure } };
  }
  const excluded = new Set(query.getAll("exclude"));
  const failures: Record<string, unknown> = {};
  const lines: string[] = [];
  for (const [name, check] of all) {
    if (excluded.delete(name)) {
      lines.push(`[+]${name} excluded: ok`);
      continue;
    }
    const failure = await failureOf(check);
    if (failure === undefined) lines.push(`[+]${name} ok`);
    else {
      failures[name] = failure;
      lines.push(`[-]${name} failed: reason withheld`);
    }
  }
  if (excluded.size > 0)
    lines.push(`warn: some health checks cannot be excluded: no matches for ${[...excluded].join(", ")}`);
  const failed = Object.keys(failures).length > 0;
  if (!failed && !query.has("verbose")) return { status: 200, body: "ok", failures };
  return {
    status: failed ? 500 : 200,
    body: `${lines.join("\n")}\n${failed ? "check failed" : "check passed"}\n`,
    failures,
  };
}

async function failureOf(check: HealthCheck): Promise<unknown> {
  try {
    await check();
    return undefined;
  } catch (error) {
    return error ?? new Error("The check failed without a reason");
  }
}
