import type { JsonObject } from "@kubewright/core/json";
import { get, mergePatch, post, put, type RequestStep } from "../test-case.js";

type Extra = Parameters<typeof get>[1];

/** Requests the Table that kubectl prints. */
export const table = { headers: { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" } };

/** A GET of the Table that kubectl prints. */
export function getTable(path: string): RequestStep {
  return get(path, table);
}

/** A POST of an object with this name and these other fields. */
export function create(path: string, name: string, fields: JsonObject = {}, extra: Extra = {}): RequestStep {
  return post(path, { metadata: { name }, ...fields }, extra);
}

/** A POST of an object with this name and this spec. */
export function createSpec(path: string, name: string, spec: JsonObject, extra: Extra = {}): RequestStep {
  return create(path, name, { spec }, extra);
}

/** A merge patch of the spec. */
export function patchSpec(path: string, spec: JsonObject, extra: Extra = {}): RequestStep {
  return mergePatch(path, { spec }, extra);
}

/** A merge patch of the status subresource. */
export function patchStatus(path: string, status: JsonObject, extra: Extra = {}): RequestStep {
  return mergePatch(`${path}/status`, { status }, extra);
}

/** A PUT of an object with this name and these other fields. */
export function replace(path: string, name: string, fields: JsonObject = {}, extra: Extra = {}): RequestStep {
  return put(`${path}/${name}`, { metadata: { name }, ...fields }, extra);
}
