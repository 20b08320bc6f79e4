import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../auth/caller.ts'
import type { Db } from '../db/database.ts'
import { findAnswer, insertAnswer, tryLockIdempotencyKey } from './queries/idempotency.ts'
import type { Deps } from '../deps.ts'
import { Problem, quoted } from './problem.ts'
import { etagOf } from './etag.ts'
import { passGateAgain } from './gate.ts'
import { requestCaller } from './request-caller.ts'

export type Answer<Body, Once extends object> = {
  status: number
  body: Body
  headers?: Record<string, string>
  /** The revision of the resource in the body, for the next edit. */
  revision?: number
  /** Secrets that the first response contains: an idempotent replay omits them. */
  shownOnce?: Once
  /** The created resource, so that the stored response is deleted with it. */
  resourceId?: string
}

/**
 * Runs a change in one transaction. A POST with an Idempotency-Key stores its response in the same transaction, so a
 * repeated request finds either no change, or the change and its response.
 */
export async function change<Body, Once extends object = object>(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  work: (tx: Db) => Promise<Answer<Body, Once>>,
): Promise<Body & Partial<Once>> {
  const key = idempotencyKey(request)
  const { status, headers, body, shownOnce } = await transactAsCaller(deps, request, async (tx) => {
    if (key === undefined) return tagged(await work(tx))
    const earlier = await findEarlier<Body, Once>(deps, request, tx, key)
    return earlier ?? (await doAndRemember(deps, request, { tx, key, work }))
  })
  reply.code(status).headers(headers ?? {})
  return (shownOnce === undefined ? body : { ...body, ...shownOnce }) as Body & Partial<Once>
}

/**
 * The response to an earlier request with the same Idempotency-Key. A route with slow checks calls it first, so that a
 * repeated request skips the checks.
 */
export async function findReplay<Body>(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Body | undefined> {
  const key = idempotencyKey(request)
  if (key === undefined) return undefined
  const earlier = await transactAsCaller(deps, request, (tx) => findEarlier<Body, object>(deps, request, tx, key))
  if (earlier) reply.code(earlier.status).headers(earlier.headers ?? {})
  return earlier?.body
}

/** All changes of a caller run in here, with the current identity and permissions. */
export function transactAsCaller<T>(deps: Deps, request: FastifyRequest, work: (tx: Db) => Promise<T>): Promise<T> {
  return deps.db.transaction().execute(async (tx) => {
    await passGateAgain(deps, tx, request)
    return work(tx)
  })
}

function tagged<Body, Once extends object>(answer: Answer<Body, Once>): Answer<Body, Once> {
  const { revision, headers, body } = answer
  return revision === undefined ? answer : { ...answer, headers: { ...headers, etag: etagOf(revision, body) } }
}

/** A user keeps their keys across sign-ins; each API key has separate keys. */
const callerKey = (caller: Caller) => (caller.kind === 'person' ? caller.userId : caller.credentialId)

const keyPattern = /^[\x21-\x7e]{1,255}$/

function idempotencyKey({ method, headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key']
  if (method !== 'POST' || key === undefined) return undefined
  if (typeof key === 'string' && keyPattern.test(key)) return key
  const detail = 'must be 1 to 255 visible ASCII characters'
  throw new Problem('invalid_header', `Idempotency-Key ${detail}.`, {
    errors: [{ parameter: 'Idempotency-Key', code: 'pattern', detail }],
  })
}

async function findEarlier<Body, Once extends object>(
  deps: Deps,
  request: FastifyRequest,
  tx: Db,
  key: string,
): Promise<Answer<Body, Once> | undefined> {
  const caller = callerKey(requestCaller(request))
  if (!(await tryLockIdempotencyKey(tx, caller, key))) {
    throw new Problem(
      'idempotency_in_progress',
      `A request with the Idempotency-Key ${quoted(key)} is still running.`,
      {
        headers: { 'retry-after': '1' },
      },
    )
  }
  const earlier = await findAnswer(tx, caller, key, deps.now())
  if (!earlier) return undefined
  if (!earlier.fingerprint.equals(fingerprintOf(deps, request))) {
    throw new Problem('idempotency_key_reused', `The Idempotency-Key ${quoted(key)} was used for another request.`)
  }
  const { status, headers, body } = earlier
  return { status, headers: { ...headers, 'idempotency-replayed': 'true' }, body: body as Body }
}

async function doAndRemember<Body, Once extends object>(
  deps: Deps,
  request: FastifyRequest,
  { tx, key, work }: { tx: Db; key: string; work: (tx: Db) => Promise<Answer<Body, Once>> },
): Promise<Answer<Body, Once>> {
  const answer = tagged(await work(tx))
  const { status, headers = {}, body, resourceId = null } = answer
  const caller = callerKey(requestCaller(request))
  await insertAnswer(tx, {
    caller,
    key,
    fingerprint: fingerprintOf(deps, request),
    status,
    headers,
    body,
    resourceId,
    now: deps.now(),
  })
  return answer
}

/** Keyed, because a body may contain a password: a plain hash could be guessed from the table. */
function fingerprintOf({ secrets }: Deps, { method, url, body }: FastifyRequest): Buffer {
  // As JSON, a megabyte of bytes would be a list of a million numbers.
  const text = Buffer.isBuffer(body) ? body.toString('base64') : JSON.stringify(body ?? null)
  return secrets.mac(`request:${method} ${url}\n${text}`)
}
