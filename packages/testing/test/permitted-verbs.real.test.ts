import { testPermittedVerbs } from "./permitted-verbs.js";

testPermittedVerbs();
