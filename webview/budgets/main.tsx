import { startPanel } from '../shared/startPanel';
import './budgets.css';
import { Budgets } from './budgets';

void startPanel('budgets', Budgets);
