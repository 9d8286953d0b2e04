import { type ClusterOptions, startCluster } from "@kubewright/cluster";
import { beforeAll, expect, test } from "vitest";
import { type Difference, describeDifference, differences, isAt } from "../compare.js";
import { compared } from "../compared.js";
import { requestDifferences } from "../known-differences.js";
import { readSubject } from "../recording.js";
import { HttpsClient } from "../servers/https-client.js";
import { fitsInProcess, InProcessClient } from "../servers/in-process-client.js";
import { byProfile, serverProfiles } from "../servers/server-profiles.js";
import type { Subject } from "../test-case.js";
import { scriptedTransport } from "../webhooks/index.js";
import { subjects } from "./index.js";
import { type Played, playSubjects } from "./play-subjects.js";

const options = { concurrency: 16, eventMs: 2_000, untilMs: 500 };
const overHttps: Played[] = [];
const inProcess: Played[] = [];

beforeAll(async () => {
  for (const [profile, own] of byProfile(subjects)) {
    overHttps.push(...(await playOverHttps(serverProfiles[profile].ours, own)));
    // On a new cluster, because the namespace and group of a case exist after it ran.
    inProcess.push(...(await playInProcess(serverProfiles[profile].ours, own)));
  }
  // Thousands of requests, twice: may exceed the default timeout on a loaded machine.
}, 180_000);

async function playOverHttps(configuration: ClusterOptions, played: readonly Subject[]): Promise<Played[]> {
  await using cluster = await startCluster(configuration);
  const { url, caCertificate, adminToken: token } = await cluster.listen();
  const client = new HttpsClient({ url, caCertificate, token });
  const responses = await playSubjects(client, played, options);
  await client.close();
  return responses;
}

async function playInProcess(configuration: ClusterOptions, played: readonly Subject[]): Promise<Played[]> {
  await using cluster = await startCluster({ ...configuration, webhookTransport: scriptedTransport });
  const fitting = played.map((subject) => ({
    ...subject,
    cases: subject.cases.filter((one) => one.steps.every(fitsInProcess)),
  }));
  return await playSubjects(new InProcessClient(cluster), fitting, options);
}

function found(subject: Subject, { one, seen }: Played): Difference[] {
  const recorded = readSubject(subject).cases[one.name];
  return recorded
    ? differences(compared(one, recorded), compared(one, seen))
    : [{ at: "1", recorded: "no recording: run conformance/requests/record.ts", given: seen }];
}

const isKnown = (name: string, { at }: Difference): boolean =>
  requestDifferences.some((known) => known.case === name && isAt(at, known.at));

test.each(subjects)("$name: responses over HTTPS match the recording", (subject) => {
  const unknown = overHttps
    .filter((played) => played.subject === subject)
    .flatMap((played) => {
      const fresh = found(subject, played).filter((difference) => !isKnown(played.one.name, difference));
      return fresh.length === 0 ? [] : [`${played.one.name}\n${fresh.map(describeDifference).join("\n")}`];
    });
  expect(unknown.join("\n")).toBe("");
});

test.each(subjects)("$name: responses in process match those over HTTPS", (subject) => {
  const unknown = inProcess
    .filter((played) => played.subject.name === subject.name)
    .flatMap((played) => {
      const fresh = found(subject, played).filter(
        ({ at, ...rest }) => !isOfHttp(at) && !isKnown(played.one.name, { at, ...rest }),
      );
      return fresh.length === 0 ? [] : [`${played.one.name}\n${fresh.map(describeDifference).join("\n")}`];
    });
  expect(unknown.join("\n")).toBe("");
});

/** Whether a difference exists only over HTTP: headers other than warnings, and server addresses. */
function isOfHttp(at: string): boolean {
  return /^\d+ (headers\.(?!warning)|body\.serverAddressByClientCIDRs)/.test(at);
}

test("every known difference still exists", () => {
  const gone = requestDifferences.filter((known) => {
    const played = overHttps.find(({ one }) => one.name === known.case);
    return !played || !found(played.subject, played).some(({ at }) => isAt(at, known.at));
  });
  expect(gone).toEqual([]);
});

test("case names are unique, and no recording has a stale case", () => {
  const names = subjects.flatMap((subject) => subject.cases.map((one) => one.name));
  expect(new Set(names).size).toBe(names.length);
  for (const subject of subjects)
    expect(Object.keys(readSubject(subject).cases)).toEqual(subject.cases.map((one) => one.name));
});
