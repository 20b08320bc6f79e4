// Starts it from the sources: neither a thread nor a process inherits that whoever starts it can run TypeScript. The release
// starts the built one.
import { register } from 'tsx/esm/api'

register()
await import('./analysis-worker.ts')
