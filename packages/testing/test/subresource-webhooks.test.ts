import { test } from "vitest";
import { subresourceWebhooks } from "./subresource-webhooks.js";

test("webhooks of subresources see exec as a connection, and scale with its old object", subresourceWebhooks);
