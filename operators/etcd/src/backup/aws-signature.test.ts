import { describe, expect, test } from "vitest";
import { amzDate, authorizationHeader, encodePath, sha256 } from "./aws-signature.js";

const empty = sha256("");

/** Inputs and signatures that AWS publishes: the Signature Version 4 test suite, and the examples of the Amazon S3 API reference. */
describe("signatures that AWS publishes", () => {
  const suite = { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY" };

  test.each([
    ["get-vanilla", "GET", "/", "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"],
    ["post-vanilla", "POST", "/", "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"],
    [
      "get-vanilla-query-order-key-case",
      "GET",
      "/?Param2=value2&Param1=value1",
      "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500",
    ],
  ])("test suite: %s", (_, method, path, signature) => {
    const url = new URL(path, "https://example.amazonaws.com");
    const headers = { host: url.host, "x-amz-date": "20150830T123600Z" };
    const scope = { region: "us-east-1", service: "service" };
    expect(authorizationHeader({ method, url, headers, bodyHash: empty }, suite, scope)).toBe(
      `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, Signature=${signature}`,
    );
  });

  const s3 = { accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY" };

  test.each([
    {
      example: "get an object",
      path: "/test.txt",
      headers: { range: "bytes=0-9" },
      signature: "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
    },
    {
      example: "put an object",
      method: "PUT",
      path: "/test$file.text",
      headers: { date: "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class": "REDUCED_REDUNDANCY" },
      body: "Welcome to Amazon S3.",
      signature: "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
    },
    {
      example: "a parameter without a value",
      path: "/?lifecycle",
      signature: "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543",
    },
    {
      example: "list objects",
      path: "/?max-keys=2&prefix=J",
      signature: "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
    },
  ])("S3: $example", ({ method = "GET", path, headers = {}, body = "", signature }) => {
    const [name = "", query = ""] = path.split("?");
    const url = new URL(`${encodePath(name)}?${query}`, "https://examplebucket.s3.amazonaws.com");
    const bodyHash = sha256(body);
    const common = { host: url.host, "x-amz-content-sha256": bodyHash, "x-amz-date": "20130524T000000Z" };
    const request = { method, url, headers: { ...common, ...headers }, bodyHash };
    expect(authorizationHeader(request, s3, { region: "us-east-1", service: "s3" })).toContain(
      `Signature=${signature}`,
    );
  });
});

test("a path keeps its slashes and unreserved characters, and nothing else", () => {
  expect(encodePath("a/b_v1_2026-11-19-22:41:07 ü!'()*~")).toBe(
    "a/b_v1_2026-11-19-22%3A41%3A07%20%C3%BC%21%27%28%29%2A~",
  );
});

test("a time is written without separators and milliseconds", () => {
  expect(amzDate(new Date("2015-08-30T12:36:00.123Z"))).toBe("20150830T123600Z");
});
