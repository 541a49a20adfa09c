// The look of the editor, in the colours of the page.
import { EditorView } from '@codemirror/view';

export const editorTheme = EditorView.theme({
  '&': { flex: '1', minWidth: '0', backgroundColor: 'var(--bg)', color: 'var(--text)', fontSize: '0.86rem' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.6', overflow: 'auto' },
  '.cm-content': { caretColor: 'var(--text)', padding: '0.6rem 0' },
  '.cm-gutters': { backgroundColor: 'var(--bg)', color: 'var(--muted)', border: 'none', minWidth: '2.6rem' },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 0.7rem 0 0.4rem', fontSize: '0.75rem', lineHeight: '1.84' },
  '.cm-tooltip': {
    backgroundColor: 'var(--bg)',
    color: 'var(--text)',
    border: '1px solid var(--line)',
    borderRadius: '6px',
    boxShadow: '0 4px 16px #0003',
    maxWidth: 'min(34rem, 90vw)',
  },
  '.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', fontSize: '0.84rem', maxHeight: '14em' },
  '.cm-tooltip-autocomplete > ul > li': { padding: '0.15rem 0.6rem' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': { backgroundColor: 'var(--accent)', color: 'var(--bg)' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '700' },
  '.cm-completionDetail': { opacity: '0.85', fontStyle: 'normal', fontSize: '0.78rem' },
  '.wf-about': { padding: '0.45rem 0.7rem', whiteSpace: 'pre-wrap', font: '0.85rem/1.5 var(--sans)' },
  '.wf-keyword': { color: 'var(--accent)', fontWeight: '600' },
  '.wf-string': { color: 'var(--ok)' },
  '.wf-number': { color: 'var(--warn)' },
  '.wf-comment': { color: 'var(--muted)', fontStyle: 'italic' },
  '.wf-variable, .wf-parameter': { fontWeight: '550' },
  '.wf-class': { color: 'var(--warn)', fontWeight: '550' },
  '.wf-error': { textDecoration: 'underline wavy var(--bad) 1.5px', textUnderlineOffset: '3px', textDecorationSkipInk: 'none' },
  '.wf-warning': {
    textDecoration: 'underline wavy var(--warn) 1.5px',
    textUnderlineOffset: '3px',
    textDecorationSkipInk: 'none',
  },
  '.wf-ran': { boxShadow: 'inset 3px 0 var(--accent)', backgroundColor: 'var(--tint)' },
});
