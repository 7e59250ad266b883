import { startPanel } from '../shared/startPanel';
import './treeRows.css';
import './rolloutTree.css';
import './textPane.css';
import { RolloutTree } from './rolloutTree';

void startPanel('rolloutTree', RolloutTree);
