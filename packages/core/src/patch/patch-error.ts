import { OperatorError } from "../errors/index.js";

/** A patch that is malformed (API_BAD_REQUEST) or does not fit the object (API_INVALID). */
export class PatchError extends OperatorError {
  override readonly name = "PatchError";

  constructor(code: "API_BAD_REQUEST" | "API_INVALID", message: string, options?: ErrorOptions) {
    super(code, message, options);
  }
}
