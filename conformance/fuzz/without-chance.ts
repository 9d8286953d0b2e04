import { isChosenPort, type Seen } from "../normalise.js";
import { withoutDifferences, withPlainStructs } from "./go-words.js";

/**
 * The answer without what chance decides on a real server, beyond what every comparison leaves out: it walks Go maps, so that errors
 * about several keys come in any order, in the causes, in the message and in warnings; and it draws ports of the nodes.
 */
export function withoutChance(seen: Seen): Seen {
  const { headers, body, ...rest } = seen;
  return {
    ...rest,
    ...(headers === undefined ? {} : { headers: withSortedWarnings(headers) }),
    ...(body === undefined ? {} : { body: withSortedCauses(body) }),
  };
}

function withSortedWarnings(headers: unknown): unknown {
  if (!isRecord(headers) || !Array.isArray(headers["warning"])) return headers;
  return { ...headers, warning: [...headers["warning"]].sort() };
}

function withSortedCauses(body: unknown): unknown {
  if (!isRecord(body) || body["kind"] !== "Status" || typeof body["message"] !== "string") return body;
  const message = withoutPorts(sortedLines(sortedFields(body["message"])));
  const details = body["details"];
  if (!isRecord(details) || !Array.isArray(details["causes"])) return { ...body, message };
  const causes = details["causes"].filter(isRecord).map(
    (cause): Record<string, unknown> => ({
      ...cause,
      message: withoutPorts(sortedFields(String(cause["message"]))),
    }),
  );
  // What is told several times in the causes is told once in the message.
  const told = [...new Set(causes.map((cause) => `${cause["field"]}: ${cause["message"]}`))];
  const list = `[${told.join(", ")}]`;
  const sorted = {
    ...details,
    causes: sortedBy(causes, (cause) => `${cause["field"]}: ${cause["message"]} ${cause["reason"]}`),
  };
  // The message says the same as the causes, in their order.
  const text = message.endsWith(list)
    ? `${message.slice(0, -list.length)}[${sortedBy(told, String).join(", ")}]`
    : message;
  return { ...body, message: text, details: sorted };
}

/** In an order that does not depend on how the parts of objects are quoted. */
function sortedBy<T>(list: readonly T[], text: (item: T) => string): T[] {
  const keyed = list.map((item) => ({ item, key: withPlainStructs(withoutDifferences(text(item))) }));
  return keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ item }) => item);
}

/** Ports of the nodes that are told of twice, and those of a quoted object, without those that the server may have chosen. */
function withoutPorts(message: string): string {
  return message.replace(
    /(Duplicate value: |duplicate nodePort: \{\w+ |[nN]odePort\\?":)(\d{5})\b/g,
    (found, before: string, port: string) => (isChosenPort(Number(port)) ? `${before}<port>` : found),
  );
}

/** `strict decoding error: unknown field "b", unknown field "a"`, by name. */
function sortedFields(message: string): string {
  const [before = "", after] = message.split("strict decoding error: ", 2);
  if (after === undefined) return message;
  return `${before}strict decoding error: ${after.split(", ").sort().join(", ")}`;
}

/** `errors:\n  .b: …\n  .a: …`, by text. */
function sortedLines(message: string): string {
  const [before = "", after] = message.split("errors:\n  ", 2);
  return after === undefined ? message : `${before}errors:\n  ${after.split("\n  ").sort().join("\n  ")}`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
