import {
  CodeActionKind,
  CompletionItemKind,
  DiagnosticSeverity,
  DiagnosticTag,
  MarkupKind,
} from 'vscode-languageserver/node';
import type {
  CodeAction,
  CompletionItem,
  Diagnostic,
  Hover as LspHover,
  Range,
} from 'vscode-languageserver/node';
import { DIAGNOSTIC_SOURCE } from '../protocol/editor/editor';
import type { Finding, FindingSeverity } from './finding';
import type { Completion, Hover } from './openConfig';
import type { Positions } from './text/positions';

const SEVERITIES: Readonly<Record<FindingSeverity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
};
const TAGS = { unnecessary: DiagnosticTag.Unnecessary, deprecated: DiagnosticTag.Deprecated } as const;

export function toDiagnostic(finding: Finding): Diagnostic {
  return {
    range: finding.range,
    severity: SEVERITIES[finding.severity],
    code: finding.code,
    source: DIAGNOSTIC_SOURCE,
    message: finding.message,
    ...(finding.tag === null ? {} : { tags: [TAGS[finding.tag]] }),
  };
}

/** The fixes of the findings that touch a range, bound to the version of the text they were made for. */
export function toCodeActions(
  uri: string,
  version: number,
  findings: readonly Finding[],
  range: Range,
): CodeAction[] {
  return findings
    .filter((finding) => touches(finding.range, range))
    .flatMap((finding) =>
      finding.fixes.map((fix) => ({
        title: fix.title,
        kind: CodeActionKind.QuickFix,
        isPreferred: fix.preferred,
        diagnostics: [toDiagnostic(finding)],
        edit: { documentChanges: [{ textDocument: { uri, version }, edits: [...fix.edits] }] },
      })),
    );
}

export function toHover(hover: Hover, positions: Positions): LspHover {
  return {
    contents: { kind: MarkupKind.Markdown, value: hover.markdown },
    range: positions.range(hover.start, hover.end),
  };
}

export function toCompletionItem(completion: Completion): CompletionItem {
  return {
    label: completion.label,
    kind: completion.kind === 'key' ? CompletionItemKind.Property : CompletionItemKind.EnumMember,
    detail: completion.detail,
    documentation: { kind: MarkupKind.Markdown, value: completion.markdown },
    insertText: completion.insertText,
  };
}

function touches(a: Range, b: Range): boolean {
  return !isBefore(a.end, b.start) && !isBefore(b.end, a.start);
}

function isBefore(a: Range['start'], b: Range['start']): boolean {
  return a.line < b.line || (a.line === b.line && a.character < b.character);
}
