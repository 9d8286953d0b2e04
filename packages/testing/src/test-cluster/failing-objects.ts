import { OperatorError } from "@kubewright/core/errors";
import type { RunningOperator } from "kubewright";
import type { StageDetail } from "kubewright/types";

/** How many failing objects an error lists. */
const maxListed = 5;

/** Counts the failures of each object in a row, to describe the objects whose last run failed. */
export class FailingObjects {
  readonly #retries = new Map<string, number>();

  /** A run starts. It retries if the previous run of the object failed. */
  recordRun({ key, controller = "", causes = [] }: StageDetail): void {
    const id = `${controller} ${key}`;
    if (causes.some(({ source }) => source === "retry")) this.#retries.set(id, (this.#retries.get(id) ?? 0) + 1);
    else this.#retries.delete(id);
  }

  /** Throws NOT_SETTLED if the last run of an object failed, with the errors as cause. */
  check(failing: ReturnType<RunningOperator["failing"]>): void {
    const [first] = failing;
    if (first === undefined) return;
    const lines = failing.slice(0, maxListed).map(({ controller, key, error }) => {
      const failures = (this.#retries.get(`${controller} ${key}`) ?? 0) + 1;
      const often = failures === 1 ? "once" : `${failures} times in a row`;
      return `  controller "${controller}" failed ${often} for "${key}": ${error.message}`;
    });
    const more = failing.length > maxListed ? [`  and ${failing.length - maxListed} more`] : [];
    const message = [
      `The operator settled, but ${failing.length === 1 ? "one object fails" : `${failing.length} objects fail`}:`,
      ...lines,
      ...more,
      "If the test expects that, pass `{ allowFailing: true }`",
    ].join("\n");
    const cause = failing.length === 1 ? first.error : new AggregateError(failing.map(({ error }) => error));
    throw new OperatorError("NOT_SETTLED", message, { cause });
  }
}
