import type { Estimate, Preview } from '@plimsoll/contract'
import { backgroundConnectMsMax, openDatabase, openPool } from '../../platform/db/database.ts'
import { makeLog } from '../../platform/log.ts'
import { PriceBooks } from '../../prices/index.ts'
import { estimateChange } from '../estimates/estimate-change.ts'
import { previewSavings } from '../preview-savings.ts'
import { analyse } from './analyse.ts'
import type { EstimateRequest, PreviewRequest } from '../../platform/background.ts'

export type AnalysisTask =
  | { kind: 'analyse'; clusterId: string }
  | ({ kind: 'preview' } & PreviewRequest)
  | ({ kind: 'estimate' } & EstimateRequest)

type Question = AnalysisTask & { id: number; now: Date }

export type AnalysisRequest =
  /** The first message. Sent over the channel, because other processes can read the arguments of a process. */
  { kind: 'open'; databaseUrl: string; logLevel: string } | Question | { kind: 'close' }

export type AnalysisReply =
  | { kind: 'analysed'; id: number }
  | { kind: 'previewed'; id: number; preview: Preview }
  | { kind: 'estimated'; id: number; estimate: Estimate | undefined }
  /** In parts: a sent error loses its code. */
  | { kind: 'failed'; id: number; message: string; stack: string | undefined; code: string | undefined }

/** One transaction at a time, and one further connection. */
const connections = 2

/** The process that analyzes or previews: one cluster after the other, so that only one large cluster is in memory. */
export function listenForAnalyses(channel: NodeJS.Process): void {
  let last: Promise<void> = Promise.resolve()
  let analyst: Analyst | undefined
  channel.on('message', (request: AnalysisRequest) => {
    if (request.kind === 'open') analyst = openAnalyst(request, (reply) => void channel.send?.(reply))
    else if (request.kind === 'close') void last.then(() => analyst?.close()).then(() => channel.disconnect())
    else last = last.then(() => analyst?.answer(request))
  })
}

type Analyst = { answer: (question: Question) => Promise<void>; close: () => Promise<void> }

function openAnalyst(
  { databaseUrl, logLevel }: Extract<AnalysisRequest, { kind: 'open' }>,
  reply: (reply: AnalysisReply) => void,
): Analyst {
  const log = makeLog(logLevel)
  const pool = openPool(databaseUrl, { connectionsMax: connections, connectMsMax: backgroundConnectMsMax }, log)
  const deps = { db: openDatabase(pool), log, prices: new PriceBooks() }
  const find = async ({ id, now, ...task }: Question): Promise<AnalysisReply> => {
    const own = { ...deps, now: () => now }
    if (task.kind === 'preview') return { kind: 'previewed', id, preview: await previewSavings(own, task) }
    if (task.kind === 'estimate') return { kind: 'estimated', id, estimate: await estimateChange(own, task) }
    await analyse(own, task)
    return { kind: 'analysed', id }
  }
  return {
    answer: (question) =>
      find(question).then(reply, (error: unknown) => reply({ kind: 'failed', id: question.id, ...partsOf(error) })),
    close: () => pool.end(),
  }
}

function partsOf(error: unknown): Pick<Extract<AnalysisReply, { kind: 'failed' }>, 'message' | 'stack' | 'code'> {
  if (!(error instanceof Error)) return { message: String(error), stack: undefined, code: undefined }
  const { message, stack, code } = error as NodeJS.ErrnoException
  return { message, stack, code }
}
