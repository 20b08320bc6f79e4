import { type EncodedBatch, sendBatch, type SendResult, type Target } from '@plimsoll/agent'
import type { BatchAccepted } from '@plimsoll/contract'
import type { SimulatedAgent } from '../batches/simulated-agent.ts'

export type RunOptions = {
  /** `live`: one simulated minute per minute. `fast`: as fast as the server allows. */
  readonly pace: 'live' | 'fast'
  /** The real time in seconds since 1970. */
  readonly now: () => number
  readonly minutes?: number
  readonly signal?: AbortSignal
}

export type RunReport = {
  readonly stopped: 'done' | 'gone' | 'refused' | 'unreachable'
  readonly minutes: number
  readonly sent: Readonly<Record<SendResult['kind'], number>>
  readonly detail?: string
}

/** This many halvings leave a single object in a batch. */
const HALVINGS_MAX = 16

type Run = {
  agent: SimulatedAgent
  target: Target
  isSyncRequested: boolean
  /** The size limit of the server. */
  encodedBytesMax: number
  sent: Record<SendResult['kind'], number>
}

/** Observes, shapes and sends, minute by minute, as the real agent does. */
export async function runAgent(agent: SimulatedAgent, target: Target, options: RunOptions): Promise<RunReport> {
  const sent = { accepted: 0, conflict: 0, gone: 0, 'too-large': 0, refused: 0, unreachable: 0 }
  const run: Run = { agent, target, isSyncRequested: false, encodedBytesMax: Infinity, sent }
  let minutes = 0
  let failure = await sendAll(run, agent.snapshot())
  while (!failure && minutes < (options.minutes ?? Infinity) && !options.signal?.aborted) {
    if (options.pace === 'live') await waitUntil(agent.world.second + 60, target, options)
    if (options.signal?.aborted) break
    const batches = agent.minute({ full: run.isSyncRequested })
    run.isSyncRequested = false
    failure = await sendAll(run, batches)
    minutes += 1
  }
  return { stopped: 'done', ...failure, minutes, sent }
}

type Failure = Pick<RunReport, 'stopped' | 'detail'>

async function sendAll(run: Run, batches: readonly EncodedBatch[]): Promise<Failure | undefined> {
  let queue = [...batches]
  let halvings = 0
  for (let batch = queue.shift(); batch; batch = queue.shift()) {
    const isTooLarge = batch.body.length > run.encodedBytesMax
    const result: SendResult = isTooLarge ? { kind: 'too-large' } : await sendBatch(batch, run.target)
    run.sent[result.kind] += 1
    if (result.kind === 'too-large' && halvings < HALVINGS_MAX) {
      halvings += 1
      queue = run.agent.halved(batch)
      continue
    }
    if (result.kind === 'accepted') obey(run, result.answer.directives)
    const failure = failureOf(result)
    if (failure) return failure
  }
  return undefined
}

function obey(run: Run, directives: BatchAccepted['directives']): void {
  run.encodedBytesMax = directives.max_encoded_bytes
  if (directives.sync_requested) run.isSyncRequested = true
}

/** A conflict concerns one batch, so the run continues. Other failures end it. */
function failureOf(result: SendResult): Failure | undefined {
  switch (result.kind) {
    case 'accepted':
    case 'conflict':
      return undefined
    case 'gone':
      return { stopped: 'gone' }
    case 'too-large':
      return { stopped: 'refused', detail: 'a batch that cannot be split further is too large' }
    case 'refused':
      return { stopped: 'refused', detail: `${result.status} ${result.detail}` }
    case 'unreachable':
      return { stopped: 'unreachable', detail: result.detail }
  }
}

async function waitUntil(second: number, { sleep }: Target, { now, signal }: RunOptions): Promise<void> {
  for (let left = second - now(); left > 0 && !signal?.aborted; left = second - now()) await sleep(Math.min(left, 5))
}
