import { InvalidArgumentError } from "commander";

/** A port from the command line. */
export function parsePort(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new InvalidArgumentError("It must be a number from 0 to 65535.");
  }
  return port;
}

/** A number of simulated nodes from the command line. */
export function parseNodes(text: string): number {
  const nodes = Number(text);
  if (!Number.isInteger(nodes) || nodes < 0 || nodes > 1_000) {
    throw new InvalidArgumentError("It must be a number from 0 to 1000.");
  }
  return nodes;
}
