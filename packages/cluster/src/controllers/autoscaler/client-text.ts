import { isApiError } from "@kubewright/core/errors";
import { serverText } from "../pod/index.js";

/** What Go's client says where an answer is no Status, by its code. */
const saidOf: Readonly<Record<number, string>> = {
  403: "forbidden",
  404: "the server could not find the requested resource",
  503: "the server is currently unable to handle the request",
};

/** A failure to get a resource, in the words of Kubernetes' own client: the server's where it gave some. */
export function clientText(error: unknown, resource: string): string {
  const said = isApiError(error) && error.reason === undefined ? saidOf[error.httpStatus] : undefined;
  return said === undefined ? serverText(error) : `${said} (get ${resource})`;
}

/** A failure in its own words. */
export function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
