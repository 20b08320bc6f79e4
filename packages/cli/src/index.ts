export type { CliDeps } from './cli-deps.ts'
export { run } from './run.ts'
