/**
 * The database operator: a StatefulSet with a generated password and backup Jobs, by tracked reads alone.
 *
 * @module
 */
import { operator } from "kubewright";
import { databaseController } from "./database-controller.js";

export { Database } from "./database.js";
export { databaseController };

/** The operator: resource, controller and permissions. Importing it starts nothing. */
export const databaseOperator = operator({ name: "database-operator", controllers: [databaseController] });
