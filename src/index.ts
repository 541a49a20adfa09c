// The library for programs that embed wf: compiler, runs, server, and the helper for connectors.
export type * from '../runtime/types.js';
export { type Checked, type Compiled, type CompileOptions, checkFile as check, compile } from './compiler/compile.js';
export type { Diagnostic, LocatedDiagnostic, Severity, Span } from './compiler/diagnostics/diagnostic.js';
export { renderText } from './compiler/diagnostics/render-text.js';
export * from './connector.js';
export { createConnectors, type OpenConnectors } from './connectors/connectors.js';
export type { DurableEngine, OpenStoreOptions } from './durable/durable-engine.js';
export { openStore } from './durable/open-store.js';
export { createEngine, type Engine, type EngineOptions } from './engine/engine.js';
export { prepare } from './engine/prepare/prepare.js';
export type { Preparation, Prepared, PrepareOptions } from './engine/prepare/prepared.js';
export { workflowFiles } from './engine/prepare/workflow-files.js';
export { InvalidWorkflowError, type RunFileOptions, run } from './engine/run-file.js';
export { type App, type AppOptions, createApp } from './server/app/create-app.js';
