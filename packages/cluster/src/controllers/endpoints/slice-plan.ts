import { deepEqual } from "@kubewright/core/json";
import type { ReadOf } from "kubewright";
import type { Endpoint, EndpointPort, EndpointSlice } from "kubewright/k8s/discovery/v1";

type ReadSlice = ReadOf<typeof EndpointSlice>;

/** The desired endpoints and ports of one slice or of several slices. */
export interface SliceContent {
  readonly endpoints: Endpoint[];
  readonly ports: EndpointPort[];
}

/** The slices to create, keep and remove. */
export interface SlicePlan {
  readonly create: readonly SliceContent[];
  /** Slices to keep, with their new content if it changes. */
  readonly keep: readonly (readonly [slice: ReadSlice, content: SliceContent | undefined])[];
  readonly remove: readonly ReadSlice[];
}

const maxEndpoints = 100;
const placeholder: SliceContent = { endpoints: [], ports: [] };

/**
 * Plans EndpointSlices with few changes: at most 100 endpoints per slice, slices per set of ports, endpoints stay in
 * their slice. Without endpoints one placeholder slice remains, or none.
 */
export function planSlices(
  existing: readonly ReadSlice[],
  desired: readonly SliceContent[],
  whenEmpty: "placeholder" | "nothing" = "placeholder",
): SlicePlan {
  const create: SliceContent[] = [];
  const keep: [ReadSlice, SliceContent | undefined][] = [];
  const remove: ReadSlice[] = [];
  const left = new Set(existing);
  for (const { ports, endpoints } of desired) {
    const missing = new Map(endpoints.map((endpoint) => [idOf(endpoint), endpoint]));
    const matching = existing.filter((slice) => left.has(slice) && samePorts(slice.ports, ports));
    const kept = matching.map((slice) => {
      left.delete(slice);
      const current = (slice.endpoints ?? []).flatMap((endpoint) => {
        const now = missing.get(idOf(endpoint));
        missing.delete(idOf(endpoint));
        return now === undefined ? [] : [now];
      });
      return { slice, current };
    });
    const added = [...missing.values()];
    for (const one of kept) one.current.push(...added.splice(0, Math.max(0, maxEndpoints - one.current.length)));
    for (const { slice, current } of kept) {
      if (current.length === 0) remove.push(slice);
      else keep.push([slice, deepEqual(slice.endpoints ?? [], current) ? undefined : { endpoints: current, ports }]);
    }
    while (added.length > 0) create.push({ endpoints: added.splice(0, maxEndpoints), ports });
  }
  remove.push(...left);
  if (whenEmpty === "placeholder" && keep.length === 0 && create.length === 0) {
    const empty = remove.find((slice) => (slice.endpoints ?? []).length === 0 && samePorts(slice.ports, []));
    if (empty !== undefined && remove.length === 1) return { create: [], keep: [[empty, undefined]], remove: [] };
    create.push(placeholder);
  }
  // Reuses a slice instead of deleting it and creating another.
  while (create.length > 0 && remove.length > 0) {
    const [slice, content] = [remove.shift(), create.shift()];
    if (slice !== undefined) keep.push([slice, content]);
  }
  return { create, keep, remove };
}

function idOf({
  targetRef,
  addresses,
}: {
  readonly targetRef?: Endpoint["targetRef"];
  readonly addresses: readonly string[];
}): string {
  return targetRef?.uid ?? addresses.join();
}

function samePorts(a: ReadSlice["ports"], b: readonly EndpointPort[]): boolean {
  const ids = (ports: ReadSlice["ports"]): string[] =>
    (ports ?? [])
      .map(({ name = "", port, protocol = "TCP", appProtocol }) => JSON.stringify([name, port, protocol, appProtocol]))
      .sort();
  return deepEqual(ids(a), ids(b));
}
