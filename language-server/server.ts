import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import { serve } from './serve';

serve(createConnection(ProposedFeatures.all));
