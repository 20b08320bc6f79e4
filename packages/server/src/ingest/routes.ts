import { timingSafeEqual, webcrypto } from 'node:crypto'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { batchLimits, payloadSchema, operations } from '@plimsoll/contract'
import type { FastifyRequest } from 'fastify'
import {
  findConditions,
  findIdentity,
  isSyncRequested,
  lockLiveCluster,
  withIdentity,
  writeConditions,
} from '../clusters/index.ts'
import type { Db } from '../platform/db/database.ts'
import {
  advanceEpoch,
  insertBatch,
  isUidTaken,
  listRejections,
  noteAgentSeen,
  noteForeignUid,
  pinKubeSystemUid,
  type NewBatch,
} from './queries/ingest.ts'
import { foldLater } from './fold-later.ts'
import { ensureDay } from '../platform/db/partitions.ts'
import type { Deps } from '../platform/deps.ts'
import { unsupportedEncoding } from '../platform/http/body.ts'
import { clusterGone } from '../platform/http/gate.ts'
import { inflatedSize } from '../platform/http/inflated-size.ts'
import { requestCaller } from '../platform/http/request-caller.ts'
import { Problem } from '../platform/http/problem.ts'
import { handle } from '../platform/http/handle.ts'

const intervalSeconds = 60

/**
 * Acknowledged means committed: the compressed bytes are stored when the response is sent. The content is validated
 * later.
 */
export const ingestRoutes: FastifyPluginAsyncTypebox<{ deps: Deps }> = async (app, { deps }) => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async ({ headers }: FastifyRequest, body: Buffer) => {
      const encoding = headers['content-encoding']
      // RFC 9110: names of content codings are case-insensitive.
      if (encoding !== undefined && encoding.toLowerCase() !== 'gzip') throw unsupportedEncoding(encoding, 'gzip')
      return body
    },
  )

  handle(app, operations.submitMetrics, {
    handler: async (request, reply) => {
      const batch = await readBatch(deps, request)
      await demandSaneGzip(batch.body)
      await ensureDay(deps.db, 'ingest_body', batch.now)
      const uid = request.headers['plimsoll-cluster-uid']
      const stored = await deps.db
        .transaction()
        .execute((tx) => store(tx, batch, uid))
        .catch(async (error: unknown) => {
          if (error instanceof Problem && error.code === 'cluster_identity_mismatch')
            await noteForeign(deps, batch, uid)
          throw error
        })
      const rejections = await listRejections(deps.db, batch.clusterId, batch.epoch)
      return reply.code(202).send({
        batch_id: batch.batchId,
        duplicate: stored.duplicate,
        acked_seq: stored.acked,
        server_time: deps.now().toISOString(),
        directives: {
          interval_seconds: intervalSeconds,
          sync_requested: stored.syncRequested,
          max_encoded_bytes: batchLimits.encodedBytesMax,
        },
        fold: {
          through_seq: stored.folded,
          rejected_records: rejections.reduce((sum, { records }) => sum + records, 0),
          rejections: rejections.map(({ batchId, reason }) => ({ batch_id: batchId, reason })),
        },
      })
    },
  })
}

async function readBatch(deps: Deps, request: FastifyRequest): Promise<NewBatch> {
  const headers = request.headers as Record<string, string>
  const caller = requestCaller(request)
  if (caller.kind !== 'agent') throw new Error('only agents hold metrics:submit')
  const schema = Number(headers['plimsoll-schema'])
  if (schema !== payloadSchema) {
    throw new Problem('unsupported_schema', `Schema ${schema} is not supported.`, {
      members: { supported_schemas: [payloadSchema] },
    })
  }
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  // Off the event loop: ten megabytes take a while.
  const digest = Buffer.from(await webcrypto.subtle.digest('SHA-256', body))
  const sent = Buffer.from(headers['content-digest']?.slice('sha-256=:'.length, -1) ?? '', 'base64')
  if (sent.length !== digest.length || !timingSafeEqual(sent, digest)) {
    throw new Problem('digest_mismatch', 'The body does not match Content-Digest.')
  }
  return {
    clusterId: caller.clusterId,
    batchId: headers['plimsoll-batch-id'] ?? '',
    epoch: headers['plimsoll-epoch'] ?? '',
    seq: Number(headers['plimsoll-seq']),
    kind: headers['plimsoll-kind'] === 'backfill' ? 'backfill' : 'live',
    digest,
    body,
    now: deps.now(),
  }
}

/** A broken or hostile gzip body is rejected while its sender can still be informed. */
async function demandSaneGzip(body: Buffer): Promise<void> {
  const bytesMax = Math.min(batchLimits.decodedBytesMax, batchLimits.ratioMax * body.length)
  const { kind } = await inflatedSize(body, bytesMax)
  if (kind === 'too-large') throw tooLarge()
  if (kind === 'broken') throw new Problem('malformed_gzip', 'The gzip body is incomplete or invalid.')
}

const tooLarge = () =>
  new Problem(
    'body_too_large',
    `The body inflates to more than ${batchLimits.decodedBytesMax} bytes or ${batchLimits.ratioMax} times its size.`,
  )

async function store(tx: Db, batch: NewBatch, kubeSystemUid: string) {
  const { clusterId, epoch, now } = batch
  const cluster = await lockLiveCluster(tx, clusterId)
  if (!cluster) throw clusterGone()
  const uid = cluster.kubeSystemUid ?? (await pinFirst(tx, clusterId, kubeSystemUid))
  if (uid !== kubeSystemUid) throw foreignCluster(kubeSystemUid)
  const stored = await insertBatch(tx, batch)
  if (stored.kind === 'conflict') throw batchConflict(batch, stored.with)
  // First the epoch, then the state of the cluster: the fold locks them in the same order.
  const { acked, folded } = await advanceEpoch(tx, clusterId, epoch, now)
  await noteAgentSeen(tx, clusterId, now)
  if (stored.kind === 'stored') await foldLater(tx, clusterId)
  const syncRequested = await isSyncRequested(tx, clusterId)
  return { duplicate: stored.kind === 'duplicate', acked, folded, syncRequested }
}

async function pinFirst(tx: Db, clusterId: string, uid: string): Promise<string> {
  if (await isUidTaken(tx, clusterId, uid)) throw connectedTwice(uid)
  return pinKubeSystemUid(tx, clusterId, uid)
}

/** The batch is not stored, but the owner of the cluster is informed. */
async function noteForeign({ db, now }: Deps, { clusterId }: NewBatch, uid: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await noteForeignUid(tx, clusterId, uid, now())
    const before = await findConditions(tx, clusterId)
    const after = withIdentity(await findIdentity(tx, clusterId), before, now())
    await writeConditions(tx, clusterId, { before, after, now: now() })
  })
}

const connectedTwice = (uid: string) =>
  new Problem('cluster_identity_mismatch', `The Kubernetes cluster ${uid} is already connected with another token.`)

const foreignCluster = (uid: string) =>
  new Problem(
    'cluster_identity_mismatch',
    `This token belongs to another cluster, not to the Kubernetes cluster ${uid}.`,
  )

const batchConflict = ({ batchId, epoch, seq }: NewBatch, what: 'batch_id' | 'seq') =>
  new Problem(
    'batch_conflict',
    what === 'batch_id'
      ? `Batch ${batchId} was already received with different content.`
      : `Another batch was already received as number ${seq} of epoch ${epoch}.`,
  )
