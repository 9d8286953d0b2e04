import { Quantity } from "@kubewright/core/quantity";
import { type Amounts, one } from "./amounts.js";
import { meansClass, type ScopeRequirement } from "./scope.js";

/** The fields of a PVC that quotas count. */
export interface CountedClaim {
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
export function tracksClaims(name: string): boolean {
  if (name === "count/persistentvolumeclaims") return true;
  return counted.some((one) => name === one || name.endsWith(`${ofClass}${one}`));
}

/** The quota usage of a PVC. */
export function claimUsage({ metadata, spec, status }: CountedClaim): Amounts {
  const usage = new Map<string, Quantity>([["count/persistentvolumeclaims", one]]);
  const className = metadata.annotations?.["volume.beta.kubernetes.io/storage-class"] ?? spec?.storageClassName ?? "";
  const count = (name: string, amount: Quantity): void => {
    usage.set(name, amount);
    if (className !== "") usage.set(`${className}${ofClass}${name}`, amount);
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

function whole(amount: Quantity): Quantity {
  return amount.toMilliUnits() % 1_000n === 0n ? amount : Quantity.of(amount.toUnits());
}

/** Whether a PVC matches a scope. */
export function isClaimIn(scope: ScopeRequirement, { spec, status }: CountedClaim): boolean {
  if (scope.scopeName !== "VolumeAttributesClass") return false;
  const names = [
    spec?.volumeAttributesClassName,
    status?.currentVolumeAttributesClassName,
    status?.modifyVolumeStatus?.targetVolumeAttributesClassName,
  ].filter((name) => name !== undefined && name !== "");
  return names.length === 0 ? meansClass(scope, undefined) : names.some((name) => meansClass(scope, name));
}
