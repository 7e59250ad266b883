import type { AllocationMethod } from '../../methods/allocation/allocator';
import { allocationMethods } from '../../methods/allocation/methods';
import { sourceLinks, type SourceLinks } from '../../methods/sourceLinks';
import { header } from '../shared/host';

/** What is known of a method that a job names: by our own table of published rules, else by what the job says. */
export interface MethodInfo {
  readonly title: string;
  readonly reconstructed: boolean;
  /** Paper, equation and code; null when the job's own method is not ours. */
  readonly source: string | null;
  /** Where these can be read; the host opens them. */
  readonly links: SourceLinks;
  readonly summary: string | null;
  readonly known: AllocationMethod | null;
}

const NO_LINKS: SourceLinks = { paper: null, code: null };

export const methodInfo = (id: string): MethodInfo => {
  const known = allocationMethods.find((method) => method.id === id) ?? null;
  const told = header.value?.methods.find((method) => method.method === id);
  return {
    title: told?.title ?? known?.title ?? id,
    reconstructed: known?.confidence === 'reconstructed',
    source: known
      ? [known.source.paper, known.source.equation, known.source.code]
          .filter((part) => part !== '')
          .join(', ')
      : null,
    links: known ? sourceLinks(known.source) : NO_LINKS,
    summary: known?.summary ?? null,
    known,
  };
};

/** `VIGOR †` when the rule is reconstructed. */
export const methodName = (id: string): string => {
  const { title, reconstructed } = methodInfo(id);
  return reconstructed ? `${title} †` : title;
};
