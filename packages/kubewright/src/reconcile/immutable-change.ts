import { isInvalid } from "@kubewright/core/errors";

/** What `onImmutable` of `apply` does with the dependents of a child that is deleted and created again. */
export type OnImmutable = "recreate" | "orphan";

/** How kube-apiserver describes a change of an immutable field, at the end of a cause. */
const immutable = /immutable|(may not|cannot) (be )?change|updates? .* (is|are) forbidden/i;

/**
 * The fields for which the server rejected a write because they are immutable; empty where it is not the only reason. A desired state that is invalid in
 * another way too could not be created after the deletion.
 */
export function immutableFields(error: unknown): readonly string[] {
  if (!isInvalid(error)) return [];
  const { causes = [] } = error.status.details ?? {};
  const isAboutChange = causes.every(({ reason, message = "" }) => {
    // "Invalid value: <value>: <detail>": the value may contain anything.
    const detail = reason === "FieldValueForbidden" ? message : message.slice(message.lastIndexOf(": ") + 1);
    return immutable.test(detail);
  });
  return isAboutChange ? [...new Set(causes.map(({ field = "" }) => field))] : [];
}
