import { isApiError } from "@kubewright/core/errors";

/** A failure in the server's own words, as they stand in events and conditions. */
export function serverText(error: unknown): string {
  if (isApiError(error)) return error.status.message ?? error.message;
  return error instanceof Error ? error.message : String(error);
}

/** Whether something could not be created because its namespace goes: then nothing is wrong, and trying again is of no use. */
export function isNamespaceTerminating(error: unknown): boolean {
  return isApiError(error) && error.causes.some(({ reason }) => reason === "NamespaceTerminating");
}
