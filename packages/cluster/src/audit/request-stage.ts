/** The stages of a write, in order; the prefix is the folder that implements it. A read stops after `access: authorize`. */
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
