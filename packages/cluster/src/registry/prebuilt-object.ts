import { formatApiVersion } from "@kubewright/core/identity";
import type { Draft, DraftValue } from "./draft.js";
import { isDraft, textAt } from "./draft.js";
import type { Resource } from "./resource.js";
import { recordKey, timestamp, type WriteContext } from "./write-context.js";

/** Structs of every object, which no field manager owns as a whole. */
const unownedStructs = ["metadata", "spec"];

/**
 * Stores a cluster-scoped bootstrap object without the steps of a create, as if `manager` had created it.
 *
 * Fast enough for the many objects of a new cluster: nothing is validated or defaulted. The body must have its defaults, and no associative
 * lists. The object must not exist.
 */
export function storePrebuilt(context: WriteContext, resource: Resource, body: Draft, manager: string): void {
  const { metadata, status, ...rest } = body;
  const given: Draft = isDraft(metadata) ? metadata : {};
  const { name: _, ...owned } = given;
  const time = timestamp(context.clock);
  const apiVersion = formatApiVersion(resource.group, resource.version);
  context.store.put(resource.bucket, recordKey("", textAt(given, "name")), 0, (revision) => ({
    apiVersion,
    kind: resource.kind,
    metadata: {
      ...given,
      uid: context.newUid(),
      resourceVersion: String(revision),
      ...(resource.strategy.isNewGeneration ? { generation: 1 } : {}),
      creationTimestamp: time,
      managedFields: [
        {
          manager,
          operation: "Update",
          apiVersion,
          time,
          fieldsType: "FieldsV1",
          fieldsV1: fieldsOf({ ...(Object.keys(owned).length === 0 ? {} : { metadata: owned }), ...rest }, ""),
        },
      ],
    },
    ...rest,
    ...(status === undefined ? {} : { status }),
  }));
}

function fieldsOf(value: DraftValue, key: string): Draft {
  if (!isDraft(value)) return {};
  const fields: Draft = key === "" || unownedStructs.includes(key) ? {} : { ".": {} };
  for (const [name, inner] of Object.entries(value)) fields[`f:${name}`] = fieldsOf(inner, name);
  return fields;
}
