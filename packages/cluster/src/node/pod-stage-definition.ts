import type { WrittenObject } from "kubewright";
import type { CustomResourceDefinition } from "kubewright/k8s/apiextensions/v1";

const string = { type: "string" };
const integer = { type: "integer" };
const duration = { type: "string", pattern: "^([0-9]+(\\.[0-9]+)?(ms|s|m|h))+$" };

/** A quantity that is not negative. */
const quantity = { type: "string", pattern: "^[0-9]+(\\.[0-9]+)?(n|u|m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei)?$" };

function object(properties: Readonly<Record<string, object>>): object {
  return { type: "object", properties };
}

function list(items: object): object {
  return { type: "array", items };
}

const requirement = object({ key: string, operator: string, values: list(string) });
const selector = object({
  matchLabels: { type: "object", additionalProperties: string },
  matchExpressions: list({ ...requirement, required: ["key", "operator"] }),
});

const used = { cpu: quantity, memory: quantity };

/** The CRD of PodStage. It is a literal, because building the schema at run time would slow down every start. */
export const podStageDefinition: WrittenObject<typeof CustomResourceDefinition> = {
  metadata: { name: "podstages.simulation.kubewright.dev" },
  spec: {
    group: "simulation.kubewright.dev",
    scope: "Cluster",
    names: { kind: "PodStage", plural: "podstages", singular: "podstage", listKind: "PodStageList" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        additionalPrinterColumns: [
          { name: "Priority", type: "integer", jsonPath: ".spec.priority" },
          { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
        ],
        schema: {
          openAPIV3Schema: object({
            spec: object({
              selector,
              namespaces: list(string),
              priority: integer,
              probability: { type: "number", minimum: 0, maximum: 1 },
              pull: object({ delay: duration, fails: { type: "boolean" } }),
              start: object({ delay: duration }),
              ready: object({ delay: duration, never: { type: "boolean" } }),
              unready: object({ after: duration, for: duration }),
              run: object({
                for: duration,
                exitCode: { type: "integer", minimum: 0, maximum: 255 },
                reason: string,
                times: { type: "integer", minimum: 0 },
                container: string,
              }),
              stop: object({ delay: duration }),
              logs: list({
                ...object({ container: string, lines: list(string), after: duration, every: duration }),
                required: ["lines"],
              }),
              usage: object({
                ...used,
                containers: { type: "object", additionalProperties: object(used) },
                later: list({ ...object({ ...used, after: duration, container: string }), required: ["after"] }),
              }),
            }),
          }),
        },
      },
    ],
  },
} as WrittenObject<typeof CustomResourceDefinition>;
