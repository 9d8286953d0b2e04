import type { Project } from "./project.js";
import type { ScaffoldFile } from "./write-scaffold.js";

/** The container image and the CI workflow of a project. */
export function deliveryFiles(_project: Project): ScaffoldFile[] {
  return [
    { path: "Dockerfile", text: dockerfile },
    { path: ".dockerignore", text: "*\n!src\n!package.json\n!package-lock.json\n!tsconfig*.json\n" },
    { path: ".github/workflows/test.yml", text: workflow },
  ];
}

const dockerfile = `FROM node:22-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY tsconfig.json tsconfig.build.json ./
COPY src src
RUN npm run build && npm prune --omit=dev

FROM gcr.io/distroless/nodejs22-debian12:nonroot
WORKDIR /app
ENV NODE_ENV=production
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/out out
USER 65532:65532
ENTRYPOINT ["/nodejs/bin/node", "out/main.js"]
`;

const workflow = `name: test
on:
  push:
    branches: [main]
  pull_request:
permissions:
  contents: read
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 22
          cache: npm
      - run: npm ci
      - run: npm run check
      - run: npm test
      - run: npm run generate -- --check
`;
