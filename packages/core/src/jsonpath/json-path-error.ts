import { OperatorError } from "../errors/index.js";

/** A JSONPath that does not parse, or returns too many values. */
export class JsonPathError extends OperatorError {
  override readonly name = "JsonPathError";

  constructor(path: string, why: string) {
    super("DEFINITION_INVALID", `Cannot use JSONPath "${path.slice(0, 200)}": ${why}`);
  }
}
