import { deepEqual } from "@kubewright/core/json";
import type { ReadOf } from "kubewright";
import type { Endpoint, EndpointPort, EndpointSlice } from "kubewright/k8s/discovery/v1";

type ReadSlice = ReadOf<typeof EndpointSlice>;

/** What a slice, or several of them, is to say. */
export interface SliceContent {
  readonly endpoints: Endpoint[];
  readonly ports: EndpointPort[];
}

/** What is to be done with slices. */
export interface SlicePlan {
  readonly create: readonly SliceContent[];
  /** Slices that stay, with what they are to say where that changes. */
  readonly keep: readonly (readonly [slice: ReadSlice, content: SliceContent | undefined])[];
  readonly remove: readonly ReadSlice[];
}

const maxEndpoints = 100;
const placeholder: SliceContent = { endpoints: [], ports: [] };

/**
 * How slices come to say what they should with few changes: each set of ports has slices of its own with at most 100 endpoints, endpoints stay in
 * their slice, and where there are none one empty slice is left, or none.
 */
export function planSlices(
  existing: readonly ReadSlice[],
  wanted: readonly SliceContent[],
  whenEmpty: "placeholder" | "nothing" = "placeholder",
): SlicePlan {
  const create: SliceContent[] = [];
  const keep: [ReadSlice, SliceContent | undefined][] = [];
  const remove: ReadSlice[] = [];
  const left = new Set(existing);
  for (const { ports, endpoints } of wanted) {
    const missing = new Map(endpoints.map((endpoint) => [idOf(endpoint), endpoint]));
    const mine = existing.filter((slice) => left.has(slice) && samePorts(slice.ports, ports));
    const kept = mine.map((slice) => {
      left.delete(slice);
      const stay = (slice.endpoints ?? []).flatMap((endpoint) => {
        const now = missing.get(idOf(endpoint));
        missing.delete(idOf(endpoint));
        return now === undefined ? [] : [now];
      });
      return { slice, stay };
    });
    const fresh = [...missing.values()];
    for (const one of kept) one.stay.push(...fresh.splice(0, Math.max(0, maxEndpoints - one.stay.length)));
    for (const { slice, stay } of kept) {
      if (stay.length === 0) remove.push(slice);
      else keep.push([slice, deepEqual(slice.endpoints ?? [], stay) ? undefined : { endpoints: stay, ports }]);
    }
    while (fresh.length > 0) create.push({ endpoints: fresh.splice(0, maxEndpoints), ports });
  }
  remove.push(...left);
  if (whenEmpty === "placeholder" && keep.length === 0 && create.length === 0) {
    const empty = remove.find((slice) => (slice.endpoints ?? []).length === 0 && samePorts(slice.ports, []));
    if (empty !== undefined && remove.length === 1) return { create: [], keep: [[empty, undefined]], remove: [] };
    create.push(placeholder);
  }
  // A slice that would go is made into one that would come.
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
  const texts = (ports: ReadSlice["ports"]): string[] =>
    (ports ?? [])
      .map(({ name = "", port, protocol = "TCP", appProtocol }) => JSON.stringify([name, port, protocol, appProtocol]))
      .sort();
  return deepEqual(texts(a), texts(b));
}
