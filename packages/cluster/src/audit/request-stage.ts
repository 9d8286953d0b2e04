/** The stages of a write, in order; the word before the colon is the folder that does it. Reads end after `access: authorize`. */
export type RequestStage =
  | "apiserver: read"
  | "access: authenticate"
  | "access: authorize"
  | "registry: decode"
  | "registry: track managedFields"
  | "admission: mutate"
  | "registry: prepare"
  | "registry: validate"
  | "admission: validate"
  | "storage: commit";
