import { describe } from 'vitest';
import { testInterruptions } from './flows-interrupted.suite.ts';
import { CHROMIUM } from './harness/world.ts';

describe('Chromium', () => testInterruptions(CHROMIUM));
