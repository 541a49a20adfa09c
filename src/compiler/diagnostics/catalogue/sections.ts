// What is wrong with the sections of a file, its settings and its declarations.
import type { Diagnostic, Span } from '../diagnostic.js';
import { error } from './make.js';
import { oneOf } from './syntax.js';

export const noWorkflow = (span: Span): Diagnostic =>
  error('WF053', span, 'This file has no workflow: section.', {
    hint: 'A workflow has three sections, in this order:\n    config:\n        name: "Order review"\n        version: 1\n\n    services:\n        GitHub is an API at "https://api.github.com"\n\n    workflow:\n        trigger: when an order is placed\n        complete',
  });

export const sectionOutOfOrder = (span: Span, section: string, before: string): Diagnostic =>
  error('WF054', span, `The section ${section}: must stand before ${before}:.`, {
    hint: 'The order is config:, services:, workflow:.',
  });

export const sectionTwice = (span: Span, section: string): Diagnostic =>
  error('WF055', span, `There is a second ${section}: section here.`, {
    hint: 'Each section stands once. Move these lines into the first one.',
  });

export const outsideSections = (span: Span, suggestion: string | undefined): Diagnostic =>
  error('WF056', span, 'This line stands outside of the sections.', {
    suggestion,
    hint: 'Statements stand under workflow:, indented by 4 spaces. Only config:, services: and workflow: start at the margin.',
  });

export const besideSection = (span: Span, section: string): Diagnostic =>
  error('WF056', span, `Nothing else can stand on the line of "${section}".`, {
    hint: `What belongs to ${section} stands on the lines under it, indented by 4 spaces.`,
  });

export const indentedSection = (span: Span): Diagnostic =>
  error('WF056', span, 'A section starts at the margin, and this line is indented.', {
    hint: 'Take away the spaces in front of it. The lines under it are indented by 4 spaces.',
  });

export const serviceForms =
  'Every service is declared in one of these forms:\n    GitHub is an API at "https://api.github.com"\n    Alerts is a webhook at "https://hooks.example.com/services/1"\n    Writer is an AI using "openai/gpt-4o"\n    Ledger is a plugin "./connectors/ledger.js"';

export const badDeclaration = (
  span: Span,
  found: string,
  expected: readonly string[],
  suggestion: string | undefined,
): Diagnostic =>
  error(
    'WF057',
    span,
    `I can't read this declaration: I did not expect ${found}${expected.length === 0 ? '' : `; I was looking for ${oneOf(expected)}`}.`,
    {
      suggestion,
      hint: serviceForms,
    },
  );

export const badServiceOption = (span: Span, suggestion: string | undefined): Diagnostic =>
  error('WF058', span, "I can't read this line under a service.", {
    suggestion,
    hint: 'Under a service there can be:\n    with headers:\n        Authorization: "Bearer {env.API_KEY}"\n    with timeout 10 seconds',
  });

export const noTimeAtAll = (span: Span): Diagnostic =>
  error('WF058', span, 'A time limit must be more than 0.', {
    hint: 'It is written like this:\n    with timeout 10 seconds',
  });

export const repeatedServiceOption = (span: Span, what: string): Diagnostic =>
  error('WF058', span, `"${what}" stands twice under this service.`, { hint: 'Delete one of the two lines.' });

export const badHeader = (span: Span): Diagnostic =>
  error('WF059', span, "I can't read this header.", {
    hint: 'Each header is one line, its name and then its value in quotes:\n    Authorization: "Bearer {env.API_KEY}"',
  });

export const badSetting = (span: Span, key: string, form: string): Diagnostic =>
  error('WF060', span, `The value of "${key}" is not right.`, { hint: `It is written like this:\n    ${form}` });

export const settingTwice = (span: Span, key: string): Diagnostic =>
  error('WF061', span, `"${key}" is set twice in config:.`, { hint: 'Delete one of the two lines.' });

export const misplacedTrigger = (span: Span): Diagnostic =>
  error('WF063', span, '"trigger:" must be the first line of workflow:, and there can be only one.', {
    hint: 'Move it directly under "workflow:", indented by 4 spaces.',
  });

export const serviceTwice = (span: Span, name: string): Diagnostic =>
  error('WF027', span, `The service "${name}" is declared twice.`, { hint: 'Give one of the two another name, or delete it.' });

export const badAddress = (span: Span): Diagnostic =>
  error('WF028', span, 'The address of a service must start with http:// or https:// and name a host.', {
    hint: 'For example "https://api.example.com", or "{env.API_URL}" where the address comes from the environment.',
  });

export const unknownProvider = (span: Span, found: string, suggestion: string | undefined): Diagnostic =>
  error('WF029', span, `I don't know the AI "${found}": it must be a provider, a slash and a model.`, {
    suggestion,
    hint: 'The providers are openai, anthropic and ollama:\n    Writer is an AI using "openai/gpt-4o"',
  });

export const onlyEnvironment = (span: Span, name: string): Diagnostic =>
  error('WF030', span, `A declaration can only use {env.NAME}, not {${name}}.`, {
    hint: 'Services are declared before any run starts. Values of a run go into the path or the pairs of a call.',
  });

export const emptyModule = (span: Span): Diagnostic =>
  error('WF066', span, 'A plugin needs the path of its module or the name of its package.', { hint: serviceForms });

export const fixedModule = (span: Span): Diagnostic =>
  error('WF030', span, 'The module of a plugin is fixed: it can use no {…}.', {
    hint: 'Write the path as it is:\n    Ledger is a plugin "./connectors/ledger.js"',
  });

export const badHeaderName = (span: Span, name: string, suggestion: string | undefined): Diagnostic =>
  error('WF059', span, `"${name}" can't be the name of a header.`, {
    suggestion,
    hint: 'It consists of letters A to Z, digits and hyphens: X-Api-Key',
  });
