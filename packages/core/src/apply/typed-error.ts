import { OperatorError } from "../errors/index.js";

/** An object that a version of its kind cannot describe: ownership cannot be told in it. */
export class TypedError extends OperatorError {
  override readonly name = "TypedError";

  constructor(message: string) {
    super("API_BAD_REQUEST", message);
  }
}
