import { startPanel } from '../shared/startPanel';
import './passAtK.css';
import { PassAtK } from './passAtK';

void startPanel('passAtK', PassAtK);
