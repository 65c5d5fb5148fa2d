import { EXPAND } from '../later-steps.ts';

export const STEPS = [EXPAND];
