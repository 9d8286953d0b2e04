import { isApiError } from "@kubewright/core/errors";
import { serverText } from "../pod/index.js";

/** client-go's messages for a response without a Status, by HTTP status code. */
const saidOf: Readonly<Record<number, string>> = {
  403: "forbidden",
  404: "the server could not find the requested resource",
  503: "the server is currently unable to handle the request",
};

/** client-go's message for a failed GET: the server's message, or client-go's own if the response had no Status. */
export function clientText(error: unknown, resource: string): string {
  const said = isApiError(error) && error.reason === undefined ? saidOf[error.httpStatus] : undefined;
  return said === undefined ? serverText(error) : `${said} (get ${resource})`;
}

/** The message of an error. */
export function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
