import type { BatchRule } from './rule';
import { trl1 } from './trl1';
import { trl2 } from './trl2';
import { trl3 } from './trl3';
import { trl4 } from './trl4';
import { trl5 } from './trl5';
import { trl6 } from './trl6';

export const BATCH_RULES: readonly BatchRule[] = [trl1, trl2, trl3, trl4, trl5, trl6];
