/**
 * `npx tsx --conditions=kubewright-source conformance/requests/record.ts [subject ...]`: sends the cases to a real control plane and records
 * its responses. Without names, all subjects.
 */

import { writeSubject } from "../recording.js";
import { playReal, realPlayOptions } from "../servers/real-server.js";
import { subjects } from "./index.js";

const names = process.argv.slice(2);
const chosen = subjects.filter((subject) => names.length === 0 || names.includes(subject.name));
const { kubernetes, played } = await playReal(chosen, realPlayOptions);
for (const subject of chosen) {
  const own = played.filter((one) => one.subject === subject);
  writeSubject(subject, { kubernetes, cases: Object.fromEntries(own.map(({ one, seen }) => [one.name, seen])) });
  process.stdout.write(`${subject.name}: ${own.length} cases\n`);
}
