// Written by tools/api-data from Kubernetes v1.36.4. Do not edit.
import { defineKind, type Kind, type ReadMeta } from "../../definition/index.js";

export interface CustomResourceColumnDefinition {
  description?: string | undefined;
  format?: string | undefined;
  jsonPath: string;
  name: string;
  priority?: number | undefined;
  type: string;
}

export interface CustomResourceConversion {
  strategy: string;
  webhook?: WebhookConversion | undefined;
}

/** An object of kind CustomResourceDefinition in apiextensions.k8s.io/v1. */
export interface CustomResourceDefinition {
  apiVersion: "apiextensions.k8s.io/v1";
  kind: "CustomResourceDefinition";
  metadata: ReadMeta;
  spec: CustomResourceDefinitionSpec;
  status?: CustomResourceDefinitionStatus;
}
interface CustomResourceDefinitionTypes { read: CustomResourceDefinition; write: { spec: CustomResourceDefinitionSpec; }; status: CustomResourceDefinitionStatus; conditions: never }
/** The kind CustomResourceDefinition in apiextensions.k8s.io/v1. */
export const CustomResourceDefinition: Kind<"apiextensions.k8s.io/v1/CustomResourceDefinition", "Cluster", CustomResourceDefinitionTypes> = /* @__PURE__ */ defineKind({ group: "apiextensions.k8s.io", version: "v1", kind: "CustomResourceDefinition", plural: "customresourcedefinitions", scope: "Cluster" });

export interface CustomResourceDefinitionCondition {
  lastTransitionTime?: string | undefined;
  message?: string | undefined;
  observedGeneration?: number | undefined;
  reason?: string | undefined;
  status: string;
  type: string;
}

export interface CustomResourceDefinitionNames {
  categories?: string[] | undefined;
  kind: string;
  listKind?: string | undefined;
  plural: string;
  shortNames?: string[] | undefined;
  singular?: string | undefined;
}

export interface CustomResourceDefinitionSpec {
  conversion?: CustomResourceConversion | undefined;
  group: string;
  names: CustomResourceDefinitionNames;
  preserveUnknownFields?: boolean | undefined;
  scope: string;
  versions: CustomResourceDefinitionVersion[];
}

export interface CustomResourceDefinitionStatus {
  acceptedNames?: CustomResourceDefinitionNames | undefined;
  conditions?: CustomResourceDefinitionCondition[] | undefined;
  observedGeneration?: number | undefined;
  storedVersions?: string[] | undefined;
}

export interface CustomResourceDefinitionVersion {
  additionalPrinterColumns?: CustomResourceColumnDefinition[] | undefined;
  deprecated?: boolean | undefined;
  deprecationWarning?: string | undefined;
  name: string;
  schema?: CustomResourceValidation | undefined;
  selectableFields?: SelectableField[] | undefined;
  served: boolean;
  storage: boolean;
  subresources?: CustomResourceSubresources | undefined;
}

export interface CustomResourceSubresourceScale {
  labelSelectorPath?: string | undefined;
  specReplicasPath: string;
  statusReplicasPath: string;
}

export type CustomResourceSubresourceStatus = Record<string, unknown>;

export interface CustomResourceSubresources {
  scale?: CustomResourceSubresourceScale | undefined;
  status?: CustomResourceSubresourceStatus | undefined;
}

export interface CustomResourceValidation {
  openAPIV3Schema?: JSONSchemaProps | undefined;
}

export interface ExternalDocumentation {
  description?: string | undefined;
  url?: string | undefined;
}

export type JSON = unknown;

export interface JSONSchemaProps {
  $ref?: string | undefined;
  $schema?: string | undefined;
  additionalItems?: JSONSchemaPropsOrBool | undefined;
  additionalProperties?: JSONSchemaPropsOrBool | undefined;
  allOf?: JSONSchemaProps[] | undefined;
  anyOf?: JSONSchemaProps[] | undefined;
  default?: JSON | undefined;
  definitions?: Record<string, JSONSchemaProps> | undefined;
  dependencies?: Record<string, JSONSchemaPropsOrStringArray> | undefined;
  description?: string | undefined;
  enum?: JSON[] | undefined;
  example?: JSON | undefined;
  exclusiveMaximum?: boolean | undefined;
  exclusiveMinimum?: boolean | undefined;
  externalDocs?: ExternalDocumentation | undefined;
  format?: string | undefined;
  id?: string | undefined;
  items?: JSONSchemaPropsOrArray | undefined;
  maxItems?: number | undefined;
  maxLength?: number | undefined;
  maxProperties?: number | undefined;
  maximum?: number | undefined;
  minItems?: number | undefined;
  minLength?: number | undefined;
  minProperties?: number | undefined;
  minimum?: number | undefined;
  multipleOf?: number | undefined;
  not?: JSONSchemaProps | undefined;
  nullable?: boolean | undefined;
  oneOf?: JSONSchemaProps[] | undefined;
  pattern?: string | undefined;
  patternProperties?: Record<string, JSONSchemaProps> | undefined;
  properties?: Record<string, JSONSchemaProps> | undefined;
  required?: string[] | undefined;
  title?: string | undefined;
  type?: string | undefined;
  uniqueItems?: boolean | undefined;
  "x-kubernetes-embedded-resource"?: boolean | undefined;
  "x-kubernetes-int-or-string"?: boolean | undefined;
  "x-kubernetes-list-map-keys"?: string[] | undefined;
  "x-kubernetes-list-type"?: string | undefined;
  "x-kubernetes-map-type"?: string | undefined;
  "x-kubernetes-preserve-unknown-fields"?: boolean | undefined;
  "x-kubernetes-validations"?: ValidationRule[] | undefined;
}

export type JSONSchemaPropsOrArray = unknown;

export type JSONSchemaPropsOrBool = unknown;

export type JSONSchemaPropsOrStringArray = unknown;

export interface SelectableField {
  jsonPath: string;
}

export interface ServiceReference {
  name: string;
  namespace: string;
  path?: string | undefined;
  port?: number | undefined;
}

export interface ValidationRule {
  fieldPath?: string | undefined;
  message?: string | undefined;
  messageExpression?: string | undefined;
  optionalOldSelf?: boolean | undefined;
  reason?: "FieldValueDuplicate" | "FieldValueForbidden" | "FieldValueInvalid" | "FieldValueRequired" | undefined;
  rule: string;
}

export interface WebhookClientConfig {
  caBundle?: string | undefined;
  service?: ServiceReference | undefined;
  url?: string | undefined;
}

export interface WebhookConversion {
  clientConfig?: WebhookClientConfig | undefined;
  conversionReviewVersions: string[];
}
