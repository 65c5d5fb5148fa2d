// Loaded before the program with `node --import`. Sets its database deadlines to those of the tests, and its stop timeout too.
import { TIMEOUTS } from '../../src/http/timeouts.ts';
import { DEADLINES } from '../../src/store/postgres/retries-and-deadlines.ts';
import { PATIENT } from './patient.ts';

Object.assign(DEADLINES, PATIENT);
TIMEOUTS.finish = PATIENT.write;
