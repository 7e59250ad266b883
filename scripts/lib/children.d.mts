import type { ChildProcess } from 'node:child_process';

export interface Group {
  readonly child: ChildProcess;
  readonly ended: Promise<number>;
  readonly stop: () => Promise<void>;
}

export function startGroup(
  command: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env: NodeJS.ProcessEnv; readonly output: number | 'ignore' },
): Group;
