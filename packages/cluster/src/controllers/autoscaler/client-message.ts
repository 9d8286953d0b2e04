import { isApiError } from "@kubewright/core/errors";
import { serverMessage } from "../pod/index.js";

/** client-go's messages for a response without a Status, by HTTP status code. */
const statusMessages: Readonly<Record<number, string>> = {
  403: "forbidden",
  404: "the server could not find the requested resource",
  503: "the server is currently unable to handle the request",
};

/** client-go's message for a failed GET: the server's message, or client-go's own if the response had no Status. */
export function clientMessage(error: unknown, resource: string): string {
  const message = isApiError(error) && error.reason === undefined ? statusMessages[error.httpStatus] : undefined;
  return message === undefined ? serverMessage(error) : `${message} (get ${resource})`;
}

/** The message of an error. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
