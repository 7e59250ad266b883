import type { MethodSource } from './method';

/** Addresses of a method's paper and code; null where the description names none that is known to be one. */
export interface SourceLinks {
  readonly paper: string | null;
  readonly code: string | null;
}

const ARXIV = /\barXiv[ :](\d{4}\.\d{4,5}(?:v\d+)?)\b/u;
/** `owner/repository`, then a file if the code is named as `owner/repository:file:function`. */
const CODE = /^([A-Za-z0-9][A-Za-z0-9-]*)\/([A-Za-z0-9._-]+)(?::([A-Za-z0-9_./-]+\.[A-Za-z0-9]+))?/u;
const COMMIT = /^[0-9a-f]{7,40}$/u;

/** arXiv and GitHub only, made from a description in this folder and never from what a job says. */
export function sourceLinks({ paper, code, commit }: MethodSource): SourceLinks {
  const arxiv = ARXIV.exec(paper);
  const found = CODE.exec(code);
  return {
    paper: arxiv ? `https://arxiv.org/abs/${arxiv[1]!}` : null,
    code: found ? codeLink(found[1]!, found[2]!, found[3], COMMIT.test(commit) ? commit : null) : null,
  };
}

function codeLink(
  owner: string,
  repository: string,
  file: string | undefined,
  commit: string | null,
): string {
  const home = `https://github.com/${owner}/${repository}`;
  if (commit === null) return home;
  return file === undefined ? `${home}/tree/${commit}` : `${home}/blob/${commit}/${file}`;
}
