// A command that a reader may copy. The script adds the button; without it the text can be selected.
import { type Html, html } from './html.js';

export const copyable = (command: string): Html => html`<pre class="copy" tabindex="0"><code>${command}</code></pre>`;
