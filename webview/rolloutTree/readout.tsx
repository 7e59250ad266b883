import { count, decimal, nats, rate, signed } from '../shared/format';
import { tokenName, type Token } from './textTokens';
import { text } from './texts';

const BAR = 88;
const MOST = 5;

const Alternatives = ({ token }: { token: Token }) => {
  if (token.alternatives.length === 0) {
    return <div class="tree-ro-line rs-second">{text('noAlternatives')}</div>;
  }
  const shown = [...token.alternatives].sort((a, b) => b[1] - a[1]).slice(0, MOST);
  const rest = 1 - shown.reduce((sum, [, p]) => sum + p, 0);
  return (
    <div class="tree-ro-line">
      <span class="rs-second">{text('insteadOf')}</span>
      {shown.map(([word, p]) => {
        const own = word === token.text;
        return (
          <span key={word} class="tree-alternative">
            <bdi class={`rs-mono${own ? ' rs-strong' : ''}`}>{tokenName(word)}</bdi>
            <span class={own ? 'tree-bar tree-bar-own' : 'tree-bar'} style={{ width: `${p * BAR}px` }} />
            <span class="rs-second">{rate(p)}</span>
          </span>
        );
      })}
      {rest > 0.005 && (
        <span class="tree-alternative rs-second">
          {text('otherTokens')}
          <span class="tree-bar" style={{ width: `${rest * BAR}px` }} />
          <span>{rate(rest)}</span>
        </span>
      )}
    </div>
  );
};

/** Numbers of one token, in a fixed place: token numbers do not fly. */
export const Readout = ({ token, advantage }: { token: Token | null; advantage: number }) => (
  <div class="tree-readout rs-small" role="status" aria-label={text('readout')}>
    {token === null ? (
      <div class="tree-ro-line rs-second">{text('readoutNone')}</div>
    ) : (
      <>
        <div class="tree-ro-line">
          <bdi class="rs-mono rs-strong tree-ro-token">{tokenName(token.text)}</bdi>
          <span>
            <span class="rs-second">{text('roEntropy')}</span>{' '}
            {Number.isFinite(token.entropy) ? nats(token.entropy) : text('unknown')}
          </span>
          <span>
            <span class="rs-second">{text('roLogProb')}</span>{' '}
            {Number.isFinite(token.logProb) ? decimal(token.logProb) : text('unknown')}
          </span>
          <span class="tree-ro-advantage">
            <span class="rs-second">{text('roAdvantage')}</span>{' '}
            {Number.isFinite(advantage) ? signed(advantage) : text('none')}
          </span>
          <span class="rs-grow" />
          <span class="rs-second">
            {token.version === null
              ? text('roPlaceOnly', { position: count(token.at) })
              : text('roPlace', { position: count(token.at), version: token.version })}
          </span>
        </div>
        <Alternatives token={token} />
      </>
    )}
  </div>
);
