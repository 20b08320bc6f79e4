// The entry of the process that writes a FOCUS file; exports/focus-process.ts starts it.
import { listenForExport } from './exports/focus-listener.ts'

// The service ends this process. It handles signals to the whole group (Ctrl-C).
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)
process.on('disconnect', () => process.exit())
listenForExport(process)
