import { ProgressLocation, window, type CancellationToken, type Uri } from 'vscode';
import { sourcesName } from '../../run-store/dumps/byteSource';
import type { LoadedDumps } from '../../run-store/dumps/loadDumps';
import type { SuccessChoice, SuccessQuestion } from '../../run-store/dumps/success';
import type { Documents } from '../documents';
import { t } from '../l10n';
import type { SessionReport } from '../session/workerMessages';
import type { SelectionStore } from '../selection';
import { plain } from '../statusText';
import type { Teller } from '../tell';
import { readThreshold, resultsReport, resultsSentence } from './resultsText';
import type { AttachedRun, RunRegistry } from './runRegistry';

export interface ResultsDeps {
  readonly registry: RunRegistry;
  readonly selection: SelectionStore;
  readonly documents: Documents;
  readonly tell: Teller;
  /** The results are there: something of them is shown. */
  readonly onOpened: () => void;
}

type Outcome = { readonly loaded: LoadedDumps } | { readonly problem: string } | null;

/** How a person opens files of evaluation results and dumps: files, what a success is, what was read. */
export class ResultsFlow {
  constructor(private readonly deps: ResultsDeps) {}

  async open(given: readonly Uri[] = []): Promise<void> {
    const uris = given.length > 0 ? given : await askFiles();
    const files = uris.filter(({ scheme }) => scheme === 'file').map(({ fsPath }) => fsPath);
    if (files.length === 0) {
      if (uris.length > 0)
        this.deps.tell.tell('results', { where: uris[0]!.toString(), detail: NOT_HERE() }, true);
      return;
    }
    let choice: SuccessChoice = {};
    // Each answer settles one of two things, so that three rounds are enough.
    for (let round = 0; round < 3; round++) {
      const run = this.deps.registry.openResults(files, choice);
      this.deps.selection.select({ run: run.key });
      const outcome = await this.outcome(run);
      if (outcome === null) return;
      if ('problem' in outcome) {
        this.deps.tell.tell('results', { where: run.name, detail: outcome.problem }, true);
        return;
      }
      if ('results' in outcome.loaded) {
        this.deps.onOpened();
        await this.tellRead(outcome.loaded.results, files);
        return;
      }
      const answer = await askSuccess(outcome.loaded.question);
      if (answer === null) {
        this.deps.registry.detach(run.key);
        return;
      }
      choice = { ...choice, ...answer };
    }
  }

  /** Waits for the end of the reading, with a bar; cancelled, the run is closed and its worker ends. */
  private outcome(run: AttachedRun): Promise<Outcome> {
    const options = {
      location: ProgressLocation.Notification,
      title: t('Reading {0}', plain(run.name)),
      cancellable: true,
    };
    return Promise.resolve(
      window.withProgress(options, (progress, token) => {
        let shown = 0;
        return firstResults(run, token, ({ readShare }) => {
          const percent = Math.floor(100 * (readShare ?? 0));
          if (percent > shown) progress.report({ increment: percent - shown });
          shown = Math.max(shown, percent);
        });
      }),
    ).then((outcome) => {
      if (outcome === null) this.deps.registry.detach(run.key);
      return outcome;
    });
  }

  private async tellRead(
    results: Extract<LoadedDumps, { results: unknown }>['results'],
    files: readonly string[],
  ): Promise<void> {
    const details = t('Show What Was Read');
    const show = results.unusable > 0 ? window.showWarningMessage : window.showInformationMessage;
    const chosen = await show(resultsSentence(results), details);
    if (chosen === details) {
      await this.deps.documents.show(t('Read of {0}', sourcesName(files)), resultsReport(results, files));
    }
  }
}

const NOT_HERE = (): string => t('only files of this machine are read');

async function askFiles(): Promise<readonly Uri[]> {
  const chosen = await window.showOpenDialog({
    canSelectMany: true,
    title: t('Open Evaluation Results'),
    openLabel: t('Open Evaluation Results'),
    filters: {
      [t('Results and dumps')]: ['jsonl', 'json', 'csv', 'tsv', 'eval', 'parquet'],
      [t('All files')]: ['*'],
    },
  });
  return chosen ?? [];
}

/** null: cancelled, or the run was closed. */
function firstResults(
  { client }: AttachedRun,
  token: CancellationToken,
  onShare: (report: SessionReport) => void,
): Promise<Outcome> {
  return new Promise((resolve) => {
    const finish = (outcome: Outcome) => {
      listening.dispose();
      cancelling.dispose();
      resolve(outcome);
    };
    const take = (report: SessionReport) => {
      if (report.problem) finish({ problem: report.problem.detail });
      else if (report.results) finish({ loaded: report.results });
      else onShare(report);
    };
    const listening = client.onReport(take);
    const cancelling = token.onCancellationRequested(() => finish(null));
    if (client.report) take(client.report);
  });
}

/** null: the person gave no answer. */
async function askSuccess({ set, asks, scores }: SuccessQuestion): Promise<SuccessChoice | null> {
  if (asks === 'score') {
    const chosen = await window.showQuickPick(
      scores.map(({ name, least, greatest }) => ({
        label: plain(name),
        description: t('{0} to {1}', least, greatest),
        name,
      })),
      { title: t('Which score tells a success in {0}?', plain(set)), ignoreFocusOut: true },
    );
    return chosen ? { score: chosen.name } : null;
  }
  const [score] = scores;
  const text = await window.showInputBox({
    title: t('From which {0} on is a sample of {1} a success?', plain(score?.name ?? ''), plain(set)),
    prompt: t(
      'Its values go from {0} to {1} and are not only right and wrong: n and c depend on the threshold, which is shown with the curves.',
      score?.least ?? 0,
      score?.greatest ?? 1,
    ),
    value: String(score?.greatest ?? 1),
    ignoreFocusOut: true,
    validateInput: (value) => (readThreshold(value) === null ? t('A number, such as 0.5 or 1.') : undefined),
  });
  const threshold = text === undefined ? null : readThreshold(text);
  return threshold === null ? null : { ...(score ? { score: score.name } : {}), threshold };
}
