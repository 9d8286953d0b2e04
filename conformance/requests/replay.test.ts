import { type Cluster, startCluster } from "@kubewright/cluster";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Difference, describeDifference, differences, isAt } from "../compare.js";
import { compared } from "../compared.js";
import { requestDifferences } from "../known-differences.js";
import { readSubject } from "../recording.js";
import { HttpsDoor } from "../servers/https-door.js";
import { fitsInProcess, InProcessDoor } from "../servers/in-process-door.js";
import type { Subject } from "../test-case.js";
import { subjects } from "./index.js";
import { type Played, playSubjects } from "./play-subjects.js";

const options = { atOnce: 16, eventMs: 2_000, untilMs: 500 };
let cluster: Cluster;
let overHttps: Played[];
let inProcess: Played[];

beforeAll(async () => {
  cluster = await startCluster({ protectVolumes: true });
  const { url, caCertificate, adminToken: token } = await cluster.listen();
  const door = new HttpsDoor({ url, caCertificate, token });
  overHttps = await playSubjects(door, subjects, options);
  await door.close();
  await cluster.close();
  // Anew, because the names of a case are taken after it ran.
  cluster = await startCluster({ protectVolumes: true });
  const fitting = subjects.map((subject) => ({
    ...subject,
    cases: subject.cases.filter((one) => one.steps.every(fitsInProcess)),
  }));
  inProcess = await playSubjects(new InProcessDoor(cluster), fitting, options);
  // Thousands of requests, twice: more than the usual time on a busy machine.
}, 120_000);
afterAll(() => cluster.close());

function found(subject: Subject, { one, seen }: Played): Difference[] {
  const recorded = readSubject(subject).cases[one.name];
  return recorded
    ? differences(compared(one, recorded), compared(one, seen))
    : [{ at: "1", recorded: "nothing: record this case", given: seen }];
}

const isKnown = (name: string, { at }: Difference): boolean =>
  requestDifferences.some((known) => known.case === name && isAt(at, known.at));

test.each(subjects)("$name: over HTTPS the cluster answers as the recording does", (subject) => {
  const unknown = overHttps
    .filter((played) => played.subject === subject)
    .flatMap((played) => {
      const fresh = found(subject, played).filter((difference) => !isKnown(played.one.name, difference));
      return fresh.length === 0 ? [] : [`${played.one.name}\n${fresh.map(describeDifference).join("\n")}`];
    });
  expect(unknown.join("\n")).toBe("");
});

test.each(subjects)("$name: in process the cluster answers as over HTTPS", (subject) => {
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

/** Headers but for warnings, and the addresses of a server that listens. */
function isOfHttp(at: string): boolean {
  return /^\d+ (headers\.(?!warning)|body\.serverAddressByClientCIDRs)/.test(at);
}

test("every known difference still is one", () => {
  const gone = requestDifferences.filter((known) => {
    const played = overHttps.find(({ one }) => one.name === known.case);
    return !played || !found(played.subject, played).some(({ at }) => isAt(at, known.at));
  });
  expect(gone).toEqual([]);
});

test("names of cases are unique, and recordings hold no case that is gone", () => {
  const names = subjects.flatMap((subject) => subject.cases.map((one) => one.name));
  expect(new Set(names).size).toBe(names.length);
  for (const subject of subjects)
    expect(Object.keys(readSubject(subject).cases)).toEqual(subject.cases.map((one) => one.name));
});
