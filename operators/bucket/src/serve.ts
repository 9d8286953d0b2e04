/** A bucket service on this machine, to try the operator with. Keeps buckets in memory, and prints each request. */
import { bucketServer } from "./bucket-server.js";
import { BucketStore } from "./bucket-store.js";

const port = Number(process.env["PORT"] ?? 9000);
bucketServer(new BucketStore())
  .on("request", ({ method, url }) => process.stdout.write(`${method} ${url}\n`))
  .listen(port, "127.0.0.1", () => process.stdout.write(`Buckets at http://127.0.0.1:${port}\n`));
