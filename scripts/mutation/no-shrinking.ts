// Runs before each test file. A mutant is killed by the first failure, so the smallest failing input is not searched.
import fc from 'fast-check';

fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true });
