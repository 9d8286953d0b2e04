import { defineConfig } from "vitest/config";

// Rings 3 and 4: a real control plane and real clients. Run by `npm run test:real`, which sets the environment.
export default defineConfig({
  resolve: { conditions: ["kubewright-source"] },
  ssr: { resolve: { conditions: ["kubewright-source"] } },
  test: {
    include: [
      "packages/*/src/**/*.real.test.ts",
      "packages/*/test/**/*.real.test.ts",
      "operators/*/src/**/*.test.ts",
      "conformance/**/*.real.test.ts",
      "tools/packages/*.real.test.ts",
    ],
    exclude: ["**/node_modules/**", "**/dist/**"],
    pool: "threads",
    // Each file may start control planes of its own, and there are two cores.
    maxWorkers: 1,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
