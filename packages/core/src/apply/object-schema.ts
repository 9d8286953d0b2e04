import type { Schema } from "../schema/index.js";

const text: Schema = { type: "string" };
const time: Schema = { type: "string", format: "date-time" };
const stringMap: Schema = { type: "object", additionalProperties: text };

/** The merge rules of ObjectMeta, which a CRD cannot change. */
const metadata: Schema = {
  type: "object",
  properties: {
    name: text,
    generateName: text,
    namespace: text,
    selfLink: text,
    uid: text,
    resourceVersion: text,
    generation: { type: "integer" },
    creationTimestamp: time,
    deletionTimestamp: time,
    deletionGracePeriodSeconds: { type: "integer" },
    labels: stringMap,
    annotations: stringMap,
    ownerReferences: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["uid"],
      items: {
        type: "object",
        "x-kubernetes-map-type": "atomic",
        properties: {
          apiVersion: text,
          kind: text,
          name: text,
          // Validation rejects an owner reference without a uid later, with a better message.
          uid: { type: "string", default: "" },
          controller: { type: "boolean" },
          blockOwnerDeletion: { type: "boolean" },
        },
      },
    },
    finalizers: { type: "array", "x-kubernetes-list-type": "set", items: text },
    managedFields: {
      type: "array",
      "x-kubernetes-list-type": "atomic",
      items: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    },
  },
};

const none: Schema = {};
const made = new WeakMap<Schema, Schema>();

/** The schema of a kind with ObjectMeta. Cached per schema. */
export function objectSchema(schema: Schema = none): Schema {
  let whole = made.get(schema);
  if (whole === undefined) {
    whole = { ...schema, type: "object", properties: { ...schema.properties, apiVersion: text, kind: text, metadata } };
    made.set(schema, whole);
  }
  return whole;
}
