import type { Write } from "./simulated-raft.js";

const pageBytes = 512;

/** What an init container fetches. */
export interface FetchCommand {
  /** URL of the operator's restore server. */
  readonly from: string;
  readonly token: string;
}

/** The content of a snapshot file, without its hash: whole pages, as those of a database. */
export function encodeSnapshot(log: readonly Write[]): Buffer {
  const text = Buffer.from(JSON.stringify(log));
  return Buffer.concat([text, Buffer.alloc(pageBytes - (text.length % pageBytes), " ")]);
}

/** Does what the init containers of a restored member do. */
export async function fetchSimulatedSnapshot({ from, token }: FetchCommand): Promise<readonly Write[]> {
  if (!URL.canParse(from)) throw new Error(`${from}: volumes of simulated Pods have no content`);
  const response = await fetch(from, { headers: { authorization: `Bearer ${token}` } });
  const content = Buffer.from(await response.arrayBuffer());
  if (!response.ok) throw new Error(`GET ${from}: HTTP ${response.status}: ${content.toString().slice(0, 200)}`);
  return JSON.parse(content.subarray(0, content.length - (content.length % pageBytes)).toString());
}
