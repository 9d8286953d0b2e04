/**
 * `npx tsx --conditions=kubewright-source conformance/record.ts [subject ...]`: sends the cases to a real control plane and writes down
 * what it answers. Without names, all subjects.
 */
import { subjects } from "./cases/index.js";
import { playReal, realPlayOptions } from "./real-server.js";
import { writeRecording } from "./recording.js";

const wanted = process.argv.slice(2);
const chosen = subjects.filter((subject) => wanted.length === 0 || wanted.includes(subject.name));
const { kubernetes, played } = await playReal(chosen, realPlayOptions);
for (const subject of chosen) {
  const own = played.filter((one) => one.subject === subject);
  writeRecording(subject, { kubernetes, cases: Object.fromEntries(own.map(({ one, seen }) => [one.name, seen])) });
  process.stdout.write(`${subject.name}: ${own.length} cases\n`);
}
