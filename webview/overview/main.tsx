import { startPanel } from '../shared/startPanel';
import './overview.css';
import { Overview } from './overview';

void startPanel('overview', Overview);
