import { test } from "vitest";
import { reconcilesHub } from "./converted-websites.js";

test("an operator with several versions reconciles its hub version on a real API server, which calls its webhook", async () => {
  await reconcilesHub("real");
}, 120_000);
