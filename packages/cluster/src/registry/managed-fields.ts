import type { JsonObject } from "@kubewright/core/json";
import type { Draft } from "./draft.js";
import type { Resource } from "./resource.js";
import type { WriteOptions } from "./write-context.js";

export interface TrackedWrite {
  readonly resource: Resource;
  readonly old: JsonObject | undefined;
  readonly next: Draft;
  readonly options: WriteOptions;
  readonly time: string;
  readonly subresource: string;
}

export function trackWrite(write: TrackedWrite): Draft {
  return write.next;
}
