// Module for `node --import` that sets the program's database deadlines and stop timeout to longer ones for tests.
import { TIMEOUTS } from '../../src/server/start-service.ts';
import { DEADLINES } from '../../src/store/postgres/connection-pool.ts';
import { PATIENT } from './patient.ts';

Object.assign(DEADLINES, PATIENT);
TIMEOUTS.finish = PATIENT.write;
