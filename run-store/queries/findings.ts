import { evidenceInWords } from '../../methods/health/finding';
import { zeroGradientGroups } from '../../methods/health/zeroGradientGroups';
import type { FindingRow } from '../../protocol/panels/overview';
import { DISORDERS } from '../disorder';
import type { Incarnation } from '../incarnation';
import type { RunStore } from '../runStore';
import { stepMismatches } from './ledgerView';
import { zeroGradientFacts } from './zeroGradientFacts';

const GRAVITY: Readonly<Record<string, number>> = { error: 0, warning: 1, info: 2 };

/** All open findings, gravest first, then newest first: the job's, and what is found here. */
export function allFindings(store: RunStore): FindingRow[] {
  const now = store.findStep(null)?.step.number ?? 0;
  const rows = ownFindings(store);
  for (const { id, step, body } of store.current?.findings.values() ?? []) {
    rows.push({ ...body, id, by: 'job', step, steps: step === null ? 0 : Math.max(0, now - step) });
  }
  return rows.sort((a, b) => GRAVITY[a.severity]! - GRAVITY[b.severity]! || (b.step ?? 0) - (a.step ?? 0));
}

/** What the store finds by itself in the present incarnation. */
export function ownFindings(store: RunStore): FindingRow[] {
  const { current } = store;
  if (!current) return [];
  return [...mismatchFindings(current), ...zeroGradientFinding(store), ...disorderFindings(current)];
}

/** Counts that do not add up, a finding a step, in the last ten steps that have any. */
function mismatchFindings(incarnation: Incarnation): FindingRow[] {
  const now = incarnation.current?.number ?? 0;
  const found: FindingRow[] = [];
  for (let i = incarnation.steps.length - 1; i >= 0 && found.length < 10; i--) {
    const step = incarnation.steps[i]!;
    const { mismatched } = step.totals;
    if (mismatched === 0) continue;
    const sentences = stepMismatches(incarnation, step, 3);
    const more = mismatched > sentences.length ? ` ${mismatched - sentences.length} more groups.` : '';
    found.push({
      id: `rolloutscope.counts.${incarnation.start.number}.${step.number}`,
      by: 'rolloutscope',
      code: 'countMismatch',
      severity: 'error',
      title:
        mismatched === 1
          ? `Counts do not add up in a group of step ${step.number}`
          : `Counts do not add up in ${mismatched} groups of step ${step.number}`,
      evidence: sentences.join(' ') + more,
      subjects: [{ type: 'step', id: String(step.number) }],
      step: step.number,
      steps: Math.max(0, now - step.number),
    });
  }
  return found;
}

function zeroGradientFinding(store: RunStore): FindingRow[] {
  const latest = latestJudged(store);
  if (!latest) return [];
  const { step } = latest;
  const finding = zeroGradientGroups.detect(zeroGradientFacts(store, latest));
  if (!finding) return [];
  const { severity, title, subjects, levers } = finding;
  return [
    {
      id: 'rolloutscope.zeroGradient',
      by: 'rolloutscope',
      // The figure of the overview that it speaks of.
      code: 'zeroGradientGroups',
      severity,
      title,
      evidence: evidenceInWords(finding),
      subjects: [...subjects],
      levers: levers.map(({ label, action, params }) => ({ label, action, params: { ...params } })),
      step: step.number,
      steps: Math.max(0, (store.findStep(null)?.step.number ?? step.number) - step.number),
    },
  ];
}

/** The step to judge by: the present one when most of it is closed, else the one before. */
function latestJudged(store: RunStore): ReturnType<RunStore['findStep']> {
  const present = store.findStep(null);
  if (!present) return null;
  const { totals, isClosed } = present.step;
  if (isClosed || (totals.groups > 0 && totals.closedGroups >= 0.8 * totals.groups)) return present;
  return store.findStep(present.step.number - 1);
}

function disorderFindings(incarnation: Incarnation): FindingRow[] {
  const step = incarnation.current?.number ?? null;
  const rows = [...incarnation.disorder.notes.values()].map(({ code, count, example }): FindingRow => ({
    id: `rolloutscope.stream.${code}`,
    by: 'rolloutscope',
    code,
    severity: code === 'afterRelease' ? 'info' : 'warning',
    title: DISORDERS[code],
    evidence: `${count === 1 ? 'Once' : `${count} times`}; the first: ${example}`,
    step,
    steps: 0,
  }));
  const { nodes, rollouts, groups, openedNodes, openedRollouts, openedGroups } = incarnation;
  const missing = [
    [nodes.count - openedNodes, 'nodes'],
    [rollouts.count - openedRollouts, 'rollouts'],
    [groups.count - openedGroups, 'groups'],
  ].filter(([count]) => Number(count) > 0);
  if (missing.length > 0) {
    rows.push({
      id: 'rolloutscope.stream.neverOpened',
      by: 'rolloutscope',
      code: 'neverOpened',
      severity: 'info',
      title: 'Events speak of things that were not opened',
      evidence: `So far ${missing.map(([count, what]) => `${count!} ${what!}`).join(', ')}. They are kept and take their place when they are opened.`,
      step,
      steps: 0,
    });
  }
  return rows;
}
