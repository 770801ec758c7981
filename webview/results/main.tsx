import '@vscode-elements/elements/dist/vscode-button/index.js';
import { render } from 'preact';
import { z } from 'zod';
import { connect } from '../shared/bridge';
import '../shared/page.css';
import { type FromResultsPage, ToResultsPage } from '../shared/resultsProtocol';
import './results.css';
import { ResultsPage } from './ResultsPage';

const SavedState = z.object({ run: z.string() });

const bridge = connect<ToResultsPage, FromResultsPage, z.infer<typeof SavedState>>(ToResultsPage, SavedState);
render(<ResultsPage bridge={bridge} />, document.getElementById('page')!);
