import type { MessagePort } from 'node:worker_threads'
import { provePath, type Place, type Proof } from '../prove-path.ts'

/** Text that a caller sent, and the question about it. */
export type ParseRequest = { kind: 'proof'; rendered: string; place: Place; sentinel: string }

export type ParseReply = { kind: 'ready' } | { kind: 'done'; proof: Proof }

/** Reports when it is ready: the time limit of a text does not include the start of the thread. */
export function listenForTexts(port: MessagePort): void {
  port.on('message', ({ rendered, place, sentinel }: ParseRequest) => {
    port.postMessage({ kind: 'done', proof: provePath(rendered, place, sentinel) } satisfies ParseReply)
  })
  port.postMessage({ kind: 'ready' } satisfies ParseReply)
}
