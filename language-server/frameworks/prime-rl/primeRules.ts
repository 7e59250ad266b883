import { nearestWords, proposeNearest } from '../../config/rule';
import type { Rule } from '../../config/rule';

const BATCH = 'orchestrator.batch_size';
const TOKENS = 'orchestrator.token_batch_size';
const GROUP = 'orchestrator.group_size';
const ALGO = 'orchestrator.algo.type';
const FLIGHT = 'orchestrator.concurrency';
const GROUP_RELATIVE: ReadonlySet<string> = new Set(['grpo', 'max_rl', 'hierarchical_grpo']);

/** Source of all: packages/prime-rl-configs at 559b4477. */
export const PRIME_RULES: readonly Rule[] = [
  {
    id: 'P1',
    check(config) {
      if (config.count(BATCH) === undefined || config.count(TOKENS) === undefined) return undefined;
      return {
        severity: 'error',
        message: 'batch_size and token_batch_size are both set; prime-rl takes one.',
        about: [TOKENS, BATCH],
      };
    },
  },
  {
    id: 'P2',
    check(config) {
      const [batch, group] = [config.count(BATCH), config.count(GROUP)];
      if (batch === undefined || group === undefined || batch % group === 0) return undefined;
      return {
        severity: 'error',
        message: `batch_size ${batch} counts rollouts and is not divisible by group_size ${group}${nearestWords(batch, (value) => value % group === 0)}. prime-rl refuses it.`,
        about: [BATCH, GROUP],
        proposals: [
          ...proposeNearest(config, BATCH, (value) => value % group === 0),
          ...proposeNearest(config, GROUP, (value) => batch % value === 0),
        ],
      };
    },
  },
  {
    id: 'P3',
    check(config) {
      const group = config.count(GROUP);
      for (const kind of ['max_inflight', 'initial_inflight']) {
        const key = `${FLIGHT}.${kind}`;
        const count = config.count(key);
        if (group === undefined || count === undefined || count >= group || !config.isSet(key)) continue;
        return {
          severity: 'error',
          message: `${key} ${count} is below group_size ${group}: not even one group fits. prime-rl refuses it.`,
          about: [key, GROUP],
          proposals: [{ key, value: String(group) }],
        };
      }
      const [least, first, most] = ['min', 'initial', 'max'].map((kind) =>
        config.count(`${FLIGHT}.${kind}_inflight`),
      );
      const bad = first !== undefined && most !== undefined && first > most ? 'initial' : undefined;
      const low = least !== undefined && most !== undefined && least > most ? 'min' : bad;
      if (low === undefined) return undefined;
      return {
        severity: 'error',
        message: `concurrency.${low}_inflight ${low === 'min' ? (least ?? 0) : (first ?? 0)} is above max_inflight ${most ?? 0}.`,
        about: [`${FLIGHT}.${low}_inflight`, `${FLIGHT}.max_inflight`],
      };
    },
  },
  {
    id: 'P6',
    check(config) {
      const algo = config.text(ALGO);
      if (algo === undefined || !GROUP_RELATIVE.has(algo) || config.number(GROUP) !== 1) return undefined;
      // Sources may have groups of their own, and an overlay may set the size.
      if (config.model.entries.some(({ name }) => name === 'orchestrator.train.source[].group_size'))
        return undefined;
      const isSet = config.isSet(GROUP);
      return {
        severity: isSet ? 'warning' : 'information',
        message: `${algo} compares the rollouts of a prompt, but group_size is 1${isSet ? '' : ', its default'}: every advantage is 0 and nothing is learned; only the run itself shows it. Set group_size to 2 or more${isSet ? '' : ', here or in an overlay'}.`,
        about: isSet ? [GROUP, ALGO] : [BATCH, ALGO],
      };
    },
  },
  {
    id: 'P7',
    check(config) {
      if (config.text('deployment.type') === 'multi_node') return undefined;
      const [train, infer, node] = ['num_train_gpus', 'num_infer_gpus', 'gpus_per_node'].map((name) =>
        config.count(`deployment.${name}`),
      );
      if (train === undefined || infer === undefined || node === undefined || train + infer <= node)
        return undefined;
      return {
        severity: 'error',
        message: `${train} training + ${infer} inference GPUs = ${train + infer} are more than the ${node} of the node.`,
        about: ['deployment.num_train_gpus', 'deployment.num_infer_gpus', 'deployment.gpus_per_node'],
      };
    },
  },
];
