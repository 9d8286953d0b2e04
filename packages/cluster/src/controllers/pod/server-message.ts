import { isApiError } from "@kubewright/core/errors";

/** The message of the server's Status, for events and conditions. */
export function serverMessage(error: unknown): string {
  if (isApiError(error)) return error.status.message ?? error.message;
  return error instanceof Error ? error.message : String(error);
}

/** Whether a create failed because the namespace is terminating. That is no error, and a retry is useless. */
export function isNamespaceTerminating(error: unknown): boolean {
  return isApiError(error) && error.causes.some(({ reason }) => reason === "NamespaceTerminating");
}
