import { expect, test } from "vitest";
import { imageTag } from "./image-name.js";

const digest = `sha256:${"0".repeat(64)}`;

test.each([
  ["nginx", "latest"],
  ["nginx:1.27", "1.27"],
  ["a/b/c", "latest"],
  ["localhost:5000/a", "latest"],
  ["example.com/a:latest", "latest"],
  ["EXAMPLE/a", "latest"],
  [`nginx@${digest}`, ""],
  [`nginx:1@${digest}`, "1"],
  ["nginx@sha256:1", ""],
  ["Nginx", ""],
  ["a/B", ""],
  ["-x", ""],
  ["a b", ""],
  ["", ""],
  ["a".repeat(64), ""],
  ["y".repeat(300), ""],
])("the tag of the image %s is %s", (image, tag) => {
  expect(imageTag(image)).toBe(tag);
});
