import '@vscode-elements/elements/dist/vscode-button/index.js';
import '@vscode-elements/elements/dist/vscode-textfield/index.js';
import { render } from 'preact';
import { connect } from '../shared/bridge';
import { type FromMapPage, ToMapPage } from '../shared/mapProtocol';
import '../shared/page.css';
import { MapPage } from './MapPage';
import './map.css';
import { SavedState } from './savedState';

const bridge = connect<ToMapPage, FromMapPage, SavedState>(ToMapPage, SavedState);
render(<MapPage bridge={bridge} />, document.getElementById('page')!);
