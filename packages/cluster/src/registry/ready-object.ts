import { formatApiVersion } from "@kubewright/core/identity";
import type { Draft, DraftValue } from "./draft.js";
import { isDraft, textAt } from "./draft.js";
import type { Resource } from "./resource.js";
import { recordKey, timestamp, type WriteContext } from "./write-context.js";

/** Structures of every object, which no field manager owns as such. */
const alwaysThere = ["metadata", "spec"];

/**
 * Stores a cluster-wide object of the server itself as it is, as if `manager` had created it.
 *
 * For what a fresh server holds in numbers, and must not cost time: nothing is checked or filled in, so the body must have its defaults,
 * and no lists with keys. The server must be fresh.
 */
export function storeReady(context: WriteContext, resource: Resource, body: Draft, manager: string): void {
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
  const fields: Draft = key === "" || alwaysThere.includes(key) ? {} : { ".": {} };
  for (const [name, inner] of Object.entries(value)) fields[`f:${name}`] = fieldsOf(inner, name);
  return fields;
}
