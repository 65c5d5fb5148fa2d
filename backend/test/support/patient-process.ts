// Loaded before the program (`node --import`), this gives its database as long as the tests give theirs.
import { DEADLINES } from '../../src/store/postgres/deadlines.ts';
import { PATIENT } from './patient.ts';

Object.assign(DEADLINES, PATIENT);
