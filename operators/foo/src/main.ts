import { fooOperator } from "./index.js";

// Outside of a cluster, without a certificate: webhooks are served with --webhook-port or --webhook-url.
await fooOperator.runFromArgs({ webhookAddress: false });
