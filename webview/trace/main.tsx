import '@vscode-elements/elements/dist/vscode-button/index.js';
import '@vscode-elements/elements/dist/vscode-textfield/index.js';
import { render } from 'preact';
import { connect } from '../shared/bridge';
import '../shared/page.css';
import { type FromTracePage, ToTracePage } from '../shared/traceProtocol';
import { SavedState } from './savedState';
import { TracePage } from './TracePage';
import './trace.css';

const bridge = connect<ToTracePage, FromTracePage, SavedState>(ToTracePage, SavedState);
render(<TracePage bridge={bridge} />, document.getElementById('page')!);
