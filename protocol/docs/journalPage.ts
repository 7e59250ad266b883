import {
  IndexLine,
  incarnationFolder,
  JOURNAL_VERSION,
  JournalManifest,
  MANIFEST_NAME,
  SEGMENT_BYTES,
  SegmentHead,
  segmentName,
  TextRecord,
} from '../journal/format';
import { fieldRows } from './schemaText';

const table = (schema: unknown): string =>
  ['| field | type | what |', '|---|---|---|', ...fieldRows(schema)].join('\n');

/** JOURNAL.md, made from the format. */
export function journalPage(): string {
  const folder = incarnationFolder(1);
  const sections = [
    `# The journal, version ${JOURNAL_VERSION}`,
    '<!-- Made from protocol/journal by `npm run generate`. Do not edit. -->',
    'A folder on the job’s disk that holds the whole stream, steering and its authors included. “Open Recorded Run” opens it. Append-only; readable after a crash.',
    [
      '| file | what |',
      '|---|---|',
      `| \`${MANIFEST_NAME}\` | the run |`,
      `| \`${folder}/${segmentName(1, 'jsonl')}\` | first line: segment head; then a batch a line, as on the wire. At most ${SEGMENT_BYTES} bytes, then the next segment begins |`,
      `| \`${folder}/${segmentName(1, 'texts')}\` | a text record a line |`,
      `| \`${folder}/${segmentName(1, 'index')}\` | an index line a step |`,
    ].join('\n'),
    'Rules: a writer appends whole lines and never rewrites. The texts of a node are written before the batch that holds its `nodeClosed`, whose `textOffset` and `textBytes` point into the texts file of the same segment. A torn last line (no line feed, or not JSON) is cut by the reader and reported; anything after it in that file is not read. A missing or short index is rebuilt by reading. Each incarnation has its own folder and its own string table; each segment’s head repeats the table, so that a segment can be read alone. A reader refuses a higher version and says so.',
    `## ${MANIFEST_NAME}`,
    table(JournalManifest),
    '## Segment head',
    table(SegmentHead),
    '## Index line',
    table(IndexLine),
    '## Text record',
    table(TextRecord),
  ];
  return `${sections.join('\n\n')}\n`;
}
