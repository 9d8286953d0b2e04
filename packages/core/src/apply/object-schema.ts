import type { Schema } from "../schema/index.js";

const text: Schema = { type: "string" };
const time: Schema = { type: "string", format: "date-time" };
const texts: Schema = { type: "object", additionalProperties: text };

/** How the metadata of every object merges, whatever a CRD says about it. */
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
    labels: texts,
    annotations: texts,
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
          // An owner without a uid is refused later, and in better words.
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

/** The schema of a whole object: that of its kind, with the metadata of every kind. Made once for each. */
export function objectSchema(schema: Schema = none): Schema {
  let whole = made.get(schema);
  if (whole === undefined) {
    whole = { ...schema, type: "object", properties: { ...schema.properties, apiVersion: text, kind: text, metadata } };
    made.set(schema, whole);
  }
  return whole;
}
