import { gcd } from '../../config/shared';
import { nearestWords, proposeNearest } from '../../config/rule';
import type { Rule } from '../../config/rule';

const GROUP = 'num_generations';
const DEVICE = 'per_device_train_batch_size';
const STEPS = 'gradient_accumulation_steps';

/** Source: swift/rlhf_trainers/args_mixin.py at 3602360a. */
export const SWIFT_RULES: readonly Rule[] = [
  {
    id: 'W1',
    check(config) {
      if (config.text('rlhf_type') !== 'grpo') return undefined;
      if (config.isSet('generation_batch_size') || config.isSet('steps_per_generation')) return undefined;
      const [group, device] = [config.count(GROUP), config.count(DEVICE)];
      const steps = config.isSet(STEPS) ? config.count(STEPS) : undefined;
      if (group === undefined || device === undefined || steps === undefined) return undefined;
      const share = device * steps;
      if (config.processes === null) {
        const step = group / gcd(group, share);
        if (step === 1) return undefined;
        return {
          severity: 'information',
          message: `Valid when the number of processes is a multiple of ${step}: ${device} × ${steps} = ${share} rollouts a process, in whole groups of ${group}.`,
          about: [GROUP, DEVICE, STEPS],
        };
      }
      const total = share * config.processes;
      if (total % group === 0) return undefined;
      return {
        severity: 'error',
        message: `${device} × ${steps} × ${config.processes} processes = ${total} rollouts are not divisible by num_generations ${group}${nearestWords(group, (value) => total % value === 0)}.`,
        about: [GROUP, DEVICE, STEPS],
        proposals: proposeNearest(config, GROUP, (value) => value > 1 && total % value === 0),
      };
    },
  },
  {
    id: 'W2',
    check(config) {
      if (config.text('rlhf_type') !== 'grpo' || config.number(GROUP) !== 1) return undefined;
      if (config.isSet('teacher_model')) return undefined;
      return {
        severity: 'error',
        message:
          'GRPO compares the rollouts of a prompt: num_generations must be 2 or more without a teacher.',
        about: [GROUP],
      };
    },
  },
];
