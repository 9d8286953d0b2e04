import { defineConfig } from "vitest/config";

// Rings 1 and 2: pure functions, and the embedded cluster. The real ring has a configuration of its own.
export default defineConfig({
  resolve: { conditions: ["kubewright-source"] },
  ssr: { resolve: { conditions: ["kubewright-source"] } },
  test: {
    include: [
      "packages/*/src/**/*.test.ts",
      "packages/*/test/**/*.test.ts",
      "operators/*/src/**/*.test.ts",
      "tools/**/*.test.ts",
      "conformance/**/*.test.ts",
    ],
    exclude: ["**/node_modules/**", "**/dist/**", "**/*.{real,packages,soak}.test.ts", "tools/check/bad-examples/**"],
    pool: "threads",
    // Files share the modules of their thread: nothing runs at import, and no test changes a module. Isolated modules took a third longer.
    isolate: false,
    // By default one core is left to others: of two that is half.
    maxWorkers: "100%",
    // Generous: the gates start other programs, on a machine that may be busy.
    testTimeout: 60_000,
    sequence: { shuffle: true },
  },
});
