import { defineConfig } from "vitest/config";

// What users install: packed tarballs in a project of their own. Run by `npm run test:packages`.
export default defineConfig({
  test: {
    include: ["tools/{packages,docs}/*.packages.test.ts"],
    // The tests start programs, on a machine that may be busy.
    testTimeout: 120_000,
    maxConcurrency: 2,
  },
});
