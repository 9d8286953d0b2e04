import { defineConfig } from "vitest/config";

// Minutes of faults on a real control plane. Run by `npm run soak`.
export default defineConfig({
  resolve: { conditions: ["kubewright-source"] },
  ssr: { resolve: { conditions: ["kubewright-source"] } },
  test: { include: ["packages/*/test/**/*.soak.test.ts"], exclude: ["**/node_modules/**", "**/dist/**"] },
});
