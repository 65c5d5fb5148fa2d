// Runs before each test file. Turns off the search for the smallest failing input, because the first failure already
// detects the mutant.
import fc from 'fast-check';

fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true });
