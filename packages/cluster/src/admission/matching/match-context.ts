import type { Labels } from "@kubewright/core/selector";
import { metadataOf, namespacesBucket, objectAt, type Registry, type Resource } from "../../registry/index.js";

/** What matching reads besides the request. */
export interface MatchContext {
  /** Every served resource with the same objects, the given one included. */
  equivalents(resource: Resource): readonly Resource[];
  /** The labels of a Namespace; undefined if it does not exist. */
  namespaceLabels(name: string): Labels | undefined;
}

/** The {@link MatchContext} of a server. Resources that share a bucket are equivalent. */
export function matchContext(registry: Registry): MatchContext {
  let generation = -1;
  let byBucket = new Map<string, Resource[]>();
  return {
    equivalents({ bucket }) {
      if (registry.generation !== generation) {
        generation = registry.generation;
        byBucket = new Map();
        for (const one of registry.resources()) byBucket.set(one.bucket, [...(byBucket.get(one.bucket) ?? []), one]);
      }
      return byBucket.get(bucket) ?? [];
    },
    namespaceLabels(name) {
      const record = registry.store.bucket(namespacesBucket).get(name);
      return record && (objectAt(metadataOf(record.object), "labels") as Labels);
    },
  };
}
