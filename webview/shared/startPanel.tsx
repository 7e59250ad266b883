import './theme.css';
import './elements.css';
import './text.css';
import './panel.css';
import './stepSlider.css';
import './motion.css';
import './messages.css';
import './hoverCard.css';
import './legend.css';
import './rows.css';
import './side.css';
import './tableBehind.css';
import './controls.css';
import { Component, render, type ComponentChildren, type ComponentType } from 'preact';
import type { PanelName } from '../../protocol/panels/messages';
import { EmptyState } from './emptyState';
import { noteError, ready } from './host';
import { installPaneKeys } from './keys';
import { describeError } from './pageErrors';
import { PanelShell } from './panelShell';
import { say, setStrings } from './strings';

class Boundary extends Component<{ children: ComponentChildren }, { error: string | null }> {
  override state: { error: string | null } = { error: null };

  override componentDidCatch(error: unknown): void {
    noteError(error);
    this.setState({ error: describeError(error) });
  }

  override render() {
    const { error } = this.state;
    return error === null ? (
      this.props.children
    ) : (
      <EmptyState icon="error" title={say('brokenTitle')} text={say('brokenText', { error })} />
    );
  }
}

/** Starts a page: tells the host that it runs, takes the texts in the user's language, draws. */
export const startPanel = async (panel: PanelName, App: ComponentType): Promise<void> => {
  installPaneKeys();
  const root = document.getElementById('app') ?? document.body.appendChild(document.createElement('div'));
  root.id = 'app';
  const draw = (): void => {
    render(
      <PanelShell>
        <Boundary>
          <App />
        </Boundary>
      </PanelShell>,
      root,
    );
  };
  try {
    const { strings, reducedMotion } = await ready(panel);
    setStrings(strings);
    document.body.classList.toggle('vscode-reduce-motion', reducedMotion);
  } catch (error) {
    // English texts and the page's own animation setting are good enough to go on with.
    noteError(error);
  }
  draw();
};
