// Starts the thread from the sources: a thread does not inherit that the one that starts it can run TypeScript. The release
// starts the built one.
import { register } from 'tsx/esm/api'

register()
await import('./figures-worker.ts')
