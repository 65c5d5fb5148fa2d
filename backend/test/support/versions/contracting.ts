import { CONTRACT, EXPAND } from '../later-steps.ts';

export const STEPS = [EXPAND, CONTRACT];
