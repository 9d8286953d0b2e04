import { OperatorError } from "../errors/index.js";

/** An object that does not fit the schema of a version, so its field ownership in that version is unknown. */
export class TypedError extends OperatorError {
  override readonly name = "TypedError";

  constructor(message: string) {
    super("API_BAD_REQUEST", message);
  }
}
