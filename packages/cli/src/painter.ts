import { styleText } from "node:util";
import type { CommandStreams } from "./command-streams.js";

/** How a part of the output looks in a terminal. */
export type Style = "bold" | "dim" | "green" | "red" | "yellow" | "cyan";

/** Colours text where a person looks at a terminal, unless NO_COLOR is set; returns it as it is otherwise. */
export type Painter = (style: Style, text: string) => string;

/** The painter of an output. */
export function painterFor({ out, environment = process.env }: CommandStreams): Painter {
  const isColoured = out.isTTY === true && !environment["NO_COLOR"];
  return (style, text) => (isColoured ? styleText(style, text, { validateStream: false }) : text);
}
