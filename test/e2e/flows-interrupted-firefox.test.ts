import { describe } from 'vitest';
import { testInterruptions } from './flows-interrupted.suite.ts';
import { FIREFOX } from './harness/world.ts';

describe('Firefox', () => testInterruptions(FIREFOX));
