// Module for `node --import` that sets the program's database timeout and stop timeout to longer ones for tests.
import { TIMEOUTS } from '../../src/server/start-service.ts';
import { DEFAULTS } from '../../src/store/postgres/connection-pool.ts';
import { PATIENT } from './patient.ts';

DEFAULTS.timeout = PATIENT;
TIMEOUTS.finish = PATIENT;
