import { type PodBody, podFromTemplate, podNamePrefix, type TemplateView } from "./pod-from-template.js";
import type { PodView } from "./pod-state.js";
import { isNamespaceTerminating, serverMessage } from "./server-message.js";

/** Actions to create and delete Pods with events. */
export interface PodActions {
  readonly create: (
    pod: { readonly metadata: PodBody["metadata"] & { readonly generateName: string } } & PodBody,
  ) => Promise<PodView>;
  readonly delete: (name: string) => Promise<unknown>;
  readonly event: (type: "Normal" | "Warning", reason: string, note: string) => void;
}

/** Creates a Pod from a template and emits an event. Does nothing in a terminating namespace. */
export async function createPod(owner: string, template: TemplateView, actions: PodActions): Promise<void> {
  const { metadata, spec } = podFromTemplate(template);
  try {
    const pod = await actions.create({ metadata: { ...metadata, generateName: podNamePrefix(owner) }, spec });
    actions.event("Normal", "SuccessfulCreate", `Created pod: ${pod.metadata.name}`);
  } catch (error) {
    if (isNamespaceTerminating(error)) return;
    actions.event("Warning", "FailedCreate", `Error creating: ${serverMessage(error)}`);
    throw error;
  }
}

/** Deletes a Pod and emits an event. */
export async function deletePod(name: string, actions: PodActions): Promise<void> {
  try {
    await actions.delete(name);
    actions.event("Normal", "SuccessfulDelete", `Deleted pod: ${name}`);
  } catch (error) {
    actions.event("Warning", "FailedDelete", `Error deleting: ${serverMessage(error)}`);
    throw error;
  }
}
