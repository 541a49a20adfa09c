// A command with a button that copies it. Without the script, the text can be selected.
import { type Html, html } from './html.js';

export const copyable = (command: string): Html => html`<pre class="copy" tabindex="0"><code>${command}</code></pre>`;
