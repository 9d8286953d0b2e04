import { Quantity } from "@kubewright/core/quantity";
import { one, type ResourceList } from "./resource-list.js";
import { classMatches, type ScopeRequirement } from "./scope.js";

/** The fields of a PVC that quotas count. */
export interface CountedPvc {
  readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
  readonly spec?: {
    readonly storageClassName?: string;
    readonly volumeAttributesClassName?: string;
    readonly resources?: { readonly requests?: Readonly<Record<string, unknown>> };
  };
  readonly status?: {
    readonly allocatedResources?: Readonly<Record<string, unknown>>;
    readonly currentVolumeAttributesClassName?: string;
    readonly modifyVolumeStatus?: { readonly targetVolumeAttributesClassName?: string };
  };
}

const ofClass = ".storageclass.storage.k8s.io/";
const counted = ["persistentvolumeclaims", "requests.storage"];

/** Whether a quota's resource name counts PVCs. */
export function tracksPvcs(name: string): boolean {
  if (name === "count/persistentvolumeclaims") return true;
  return counted.some((one) => name === one || name.endsWith(`${ofClass}${one}`));
}

/** The quota usage of a PVC. */
export function pvcUsage({ metadata, spec, status }: CountedPvc): ResourceList {
  const usage = new Map<string, Quantity>([["count/persistentvolumeclaims", one]]);
  const className = metadata.annotations?.["volume.beta.kubernetes.io/storage-class"] ?? spec?.storageClassName ?? "";
  const count = (name: string, quantity: Quantity): void => {
    usage.set(name, quantity);
    if (className !== "") usage.set(`${className}${ofClass}${name}`, quantity);
  };
  count("persistentvolumeclaims", one);
  const request = spec?.resources?.requests?.["storage"];
  if (request === undefined) return usage;
  const requested = Quantity.parse(String(request));
  const allocation = status?.allocatedResources?.["storage"];
  const allocated = allocation === undefined ? requested : Quantity.parse(String(allocation));
  count("requests.storage", whole(allocated.compare(requested) > 0 ? allocated : requested));
  return usage;
}

function whole(quantity: Quantity): Quantity {
  return quantity.toMilliUnits() % 1_000n === 0n ? quantity : Quantity.of(quantity.toUnits());
}

/** Whether a PVC matches a scope. */
export function pvcMatchesScope(scope: ScopeRequirement, { spec, status }: CountedPvc): boolean {
  if (scope.scopeName !== "VolumeAttributesClass") return false;
  const names = [
    spec?.volumeAttributesClassName,
    status?.currentVolumeAttributesClassName,
    status?.modifyVolumeStatus?.targetVolumeAttributesClassName,
  ].filter((name) => name !== undefined && name !== "");
  return names.length === 0 ? classMatches(scope, undefined) : names.some((name) => classMatches(scope, name));
}
