// The hidden field that every form which changes something has: it shows that the form is one of the console's own pages.
import { type Html, html } from './html.js';

export const FORM_TOKEN = 'token';

export const formField = ({ formToken }: { readonly formToken: string }): Html =>
  html`<input type="hidden" name="${FORM_TOKEN}" value="${formToken}">`;
