import fc from "fast-check";
import { expect, test } from "vitest";
import { bindingMismatch, findMatchingVolume, type ReadPv, type ReadPvc } from "./index.js";

const sizes = fc.integer({ min: 1, max: 6 });
const classes = fc.constantFrom(undefined, "fast");
const modes = fc.constantFrom("ReadWriteOnce", "ReadWriteMany");
const claims = fc.record({ size: sizes, storageClassName: classes, mode: modes }).map(
  ({ size, storageClassName, mode }) =>
    ({
      metadata: { namespace: "default", name: "data", uid: "1" },
      spec: { storageClassName, accessModes: [mode], resources: { requests: { storage: `${size}Gi` } } },
    }) as unknown as ReadPvc,
);
const owners = fc.constantFrom(
  undefined,
  { namespace: "default", name: "data" },
  { namespace: "default", name: "data", uid: "1" },
  { namespace: "default", name: "data", uid: "2" },
  { namespace: "default", name: "other" },
);
const volumes = fc
  .array(fc.record({ size: sizes, storageClassName: classes, mode: modes, claimRef: owners, far: fc.boolean() }), {
    maxLength: 6,
  })
  .map((all) =>
    all.map(
      ({ size, mode, claimRef, far, storageClassName }, at) =>
        ({
          metadata: { name: `v-${at}`, labels: { far: String(far) } },
          spec: { capacity: { storage: `${size * 1_024}Mi` }, accessModes: [mode], claimRef, storageClassName },
          status: { phase: claimRef === undefined ? "Available" : "Bound" },
        }) as unknown as ReadPv,
    ),
  );
const matchesNodeAffinity = ({ metadata }: ReadPv): boolean => metadata.labels?.["far"] === "false";
const sizeOf = ({ spec }: ReadPv): number => Number.parseInt(String(spec?.capacity?.["storage"]), 10);

test("findMatchingVolume returns the smallest PV that is unbound, matches and is reachable", () => {
  fc.assert(
    fc.property(claims, volumes, (claim, all) => {
      const found = findMatchingVolume(claim, all, { matchesNodeAffinity });
      if (found === undefined) return;
      const { claimRef } = found.spec ?? {};
      expect(matchesNodeAffinity(found)).toBe(true);
      expect([undefined, "data"]).toContain(claimRef?.name);
      expect([undefined, "1"]).toContain(claimRef?.uid);
      if (claimRef !== undefined) return;
      expect(bindingMismatch(found, claim)).toBeUndefined();
      for (const other of all)
        if (
          other.spec?.claimRef === undefined &&
          matchesNodeAffinity(other) &&
          bindingMismatch(other, claim) === undefined
        )
          expect(sizeOf(other)).toBeGreaterThanOrEqual(sizeOf(found));
    }),
  );
});

test("findMatchingVolume skips excluded PVs, and with onlyPreBound all that are not pre-bound", () => {
  fc.assert(
    fc.property(claims, volumes, (claim, all) => {
      const excluded = new Set(all.map(({ metadata }) => metadata.name));
      expect(findMatchingVolume(claim, all, { excluded })).toBeUndefined();
      expect(findMatchingVolume(claim, all, { onlyPreBound: true })?.spec?.claimRef?.name ?? "data").toBe("data");
    }),
  );
});
