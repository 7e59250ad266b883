import { mixedProbability } from '../estimators/zeroGradientShare';
import { counted, figure } from '../figures';
import type { AllocationRequest } from './allocator';
import type { PromptInput } from './inputs';

/** Launches of the rules that give every prompt the same, with what is to be expected where a pass rate is recorded. */
export function sameForAll(prompts: readonly PromptInput[], size: number): AllocationRequest[] {
  return prompts.map(({ passRate }, prompt) => {
    const numbers: Record<string, number> = { groupSize: size };
    let tail = '.';
    if (passRate !== undefined) {
      const mixed = mixedProbability(passRate.value, size);
      numbers['passRate'] = passRate.value;
      numbers['probabilityMixed'] = mixed;
      tail = `; at a pass rate of ${figure(passRate.value)} the group is mixed with probability ${figure(mixed)}.`;
    }
    return {
      prompt,
      action: 'launch',
      count: size,
      reasonCode: 'same-for-all',
      reason: `Every prompt gets ${counted(size, 'rollout')}${tail}`,
      numbers,
    };
  });
}
