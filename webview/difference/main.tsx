import 'monaco-editor/features/codicon/register';
import 'monaco-editor/features/diffEditor/register';
import 'monaco-editor/features/find/register';
import 'monaco-editor/features/folding/register';
import 'monaco-editor/features/unicodeHighlighter/register';
import { render } from 'preact';
import { connect } from '../shared/bridge';
import { type FromDifferencePage, ToDifferencePage } from '../shared/differenceProtocol';
import '../shared/page.css';
import { DifferencePage } from './DifferencePage';
import { SavedLayout } from './savedLayout';
import { startWorker } from './worker';
import './difference.css';

startWorker();
const bridge = connect<ToDifferencePage, FromDifferencePage, SavedLayout>(ToDifferencePage, SavedLayout);
render(<DifferencePage bridge={bridge} />, document.getElementById('page')!);
