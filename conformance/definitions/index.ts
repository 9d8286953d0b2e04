/**
 * Compares, on a real server, CRDs that well-known projects publish with those regenerated from them, and checks both against local
 * validation. Also covers a definition of ours that uses every feature.
 *
 * @module
 */
import { systemClock } from "@kubewright/core/clock";
import type { JsonObject } from "@kubewright/core/json";
import { startControlPlane } from "@kubewright/testing/control-plane";
import { crdOf } from "kubewright";
import type { CustomResourceDefinition } from "kubewright/crd";
import { HttpsTransport } from "kubewright/transport";
import { Everything } from "../../packages/kubewright/test/everything.js";
import type { LiveResult } from "../live-report.js";
import { type PublishedDefinition, publishedDefinitions } from "./corpus.js";
import { regenerate } from "./regenerate.js";
import { sameVerdicts } from "./same-verdicts.js";

/** Options of `compareDefinitions`. */
export interface CompareDefinitionsOptions {
  readonly seed: number;
  /** Random objects over all definitions. */
  readonly objects: number;
  readonly onProgress?: (text: string) => void;
}

/** Compares every definition on a new control plane. Needs Go, for the published ones. */
export async function compareDefinitions({
  seed,
  objects,
  onProgress,
}: CompareDefinitionsOptions): Promise<LiveResult> {
  const published = await publishedDefinitions();
  onProgress?.(`${published.length} published CRDs read`);
  const { definitions, complaints } = await regenerate(published);
  onProgress?.(`${published.length} published CRDs imported and type-checked`);
  const ours = crdOf(Everything);
  const own: PublishedDefinition = {
    project: "kubewright",
    name: ours.metadata.name,
    definition: ours as unknown as JsonObject,
  };
  const versions = definitions.flatMap(({ spec }) => spec.versions.filter(({ served }) => served)).length;
  await using plane = await startControlPlane();
  const credentials = { kind: "token" as const, token: plane.admin.token };
  const connection = { server: plane.url, caCertificate: plane.caCertificate, credentials, namespace: "default" };
  const transport = new HttpsTransport(connection, { clock: systemClock });
  const compare = async (
    some: readonly PublishedDefinition[],
    again: readonly CustomResourceDefinition[],
    count: number,
  ) =>
    sameVerdicts(transport, some, again, {
      seed,
      objects: count,
      onProgress: (done) => onProgress?.(`${done} of ${some.length} CRDs compared`),
    });
  try {
    const parts = [
      await compare([own], [ours], Math.ceil(objects / 4)),
      await compare(published, definitions, Math.ceil((objects * 3) / 4 / versions)),
    ];
    const differences = parts.flatMap((part) => part.differences);
    const requests = parts.reduce((all, { accepted, rejected }) => all + accepted + rejected, 0);
    const unexplained = [...(complaints === "" ? [] : [complaints]), ...differences];
    const numbers = { cases: published.length + 1, requests, same: Math.max(0, requests - differences.length) };
    const area = { area: "definitions", ...numbers, known: 0, unexplained: unexplained.length, notCompared: 0 };
    return { areas: [area], unexplained };
  } finally {
    await transport.close();
  }
}
