/**
 * `npx tsx --conditions=kubewright-source conformance/record.ts [subject ...]`: sends the cases to a real control plane and writes down
 * what it answers. Without names, all subjects.
 */

import { writeSubject } from "../recording.js";
import { playReal, realPlayOptions } from "../servers/real-server.js";
import { subjects } from "./index.js";

const wanted = process.argv.slice(2);
const chosen = subjects.filter((subject) => wanted.length === 0 || wanted.includes(subject.name));
const { kubernetes, played } = await playReal(chosen, realPlayOptions);
for (const subject of chosen) {
  const own = played.filter((one) => one.subject === subject);
  writeSubject(subject, { kubernetes, cases: Object.fromEntries(own.map(({ one, seen }) => [one.name, seen])) });
  process.stdout.write(`${subject.name}: ${own.length} cases\n`);
}
