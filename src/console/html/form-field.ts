// The hidden field of every form that makes a change. It proves that the form comes from the console.
import { type Html, html } from './html.js';

export const FORM_TOKEN = 'token';

export const formField = ({ formToken }: { readonly formToken: string }): Html =>
  html`<input type="hidden" name="${FORM_TOKEN}" value="${formToken}">`;
