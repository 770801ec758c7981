import { shout } from './text.mjs';

console.log(shout('ready'));
