import { test } from "vitest";
import { worksOnItsHub } from "./converted-websites.js";

test("an operator with several versions works on its hub on a real server, which calls its functions", async () => {
  await worksOnItsHub("real");
}, 120_000);
