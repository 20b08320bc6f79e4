import type { FastifyRequest } from 'fastify'
import { recordChange } from '../audit/index.ts'
import type { Db } from '../platform/db/database.ts'
import {
  countHit,
  findHits,
  forgetHits,
  forgetHitsEndingIn,
  type Hits,
} from '../platform/http/queries/request-counts.ts'
import type { Deps } from '../platform/deps.ts'
import { addressBlock, addressSite } from '../platform/http/address.ts'
import { Problem } from '../platform/http/problem.ts'

export const deviceCookie = 'plimsoll_device'

const windowSeconds = 15 * 60
const failuresMax = { account: 10, site: 100 }

/** Of all failed sign-ins in one window: an attacker with many addresses must not fill the audit. */
const auditedMax = 500

/** How long an address stays known to an account after a sign-in. */
const knownSeconds = 30 * 86_400

export type LoginAttempt = {
  accountBucket: string
  siteBucket: string
  knownBucket: string
  /** Attempts at this account from here, including this one, since the last success. */
  count: number
  /** This browser, or this address, has signed in to the account before. */
  known: boolean
}

/**
 * Failures are counted per account *and* address, so guesses from elsewhere never lock the owner out. A browser that
 * has signed in to the account has its own count, which no other client behind the same address can fill. The attempt
 * is counted before the password check, so that concurrent guesses are limited.
 */
export async function beginLogin(deps: Deps, request: FastifyRequest, email: string): Promise<LoginAttempt> {
  const [address, account] = [addressBlock(request.ip), accountHash(deps, email)]
  const device = knownDevice(deps, request.cookies[deviceCookie], email)
  const buckets = {
    accountBucket: `login-failures:${device ?? address}:${account}`,
    siteBucket: `login-failures:${addressSite(request.ip)}`,
    knownBucket: `login-known:${address}:${account}`,
  }
  const own = await countHit(deps.db, buckets.accountBucket, windowSeconds)
  if (own.hits > failuresMax.account) throw throttled(own)
  const fromSite = device ? undefined : await findHits(deps.db, buckets.siteBucket)
  if (fromSite && fromSite.hits >= failuresMax.site) throw throttled(fromSite)
  const known = device !== undefined || (await findHits(deps.db, buckets.knownBucket)) !== undefined
  return { ...buckets, count: own.hits, known }
}

/** `userId` is null when no user has the address. */
export async function noteFailedLogin(
  deps: Deps,
  request: FastifyRequest,
  { siteBucket, count }: LoginAttempt,
  userId: string | null,
): Promise<void> {
  deps.metrics.failedLogins.inc()
  await countHit(deps.db, siteBucket, windowSeconds)
  if (count !== 1 && count !== failuresMax.account) return
  const { hits } = await countHit(deps.db, 'login-failures-audited', windowSeconds)
  if (hits > auditedMax) return
  await recordChange(deps, deps.db, request, {
    action: 'user.fail_login',
    // The input for an unknown user may be anything, even a password.
    target: { type: 'user', id: userId ?? 'unknown' },
    detail: {
      attempts: count,
      ...(hits === auditedMax ? { further: 'failed sign-ins omitted from the audit log in the last 15 minutes' } : {}),
    },
  })
}

export async function noteLogin(deps: Deps, { accountBucket, knownBucket }: LoginAttempt): Promise<void> {
  await forgetHits(deps.db, accountBucket)
  await countHit(deps.db, knownBucket, knownSeconds)
}

/** A user who has just set a password by a link need not wait for earlier guesses. */
export async function liftThrottle(deps: Deps, tx: Db, email: string): Promise<void> {
  await forgetHitsEndingIn(tx, 'login-failures:', `:${accountHash(deps, email)}`)
}

/** Proves only that this browser has signed in to this account; it grants no access. */
export function newDeviceCookie(deps: Deps, email: string, deviceId: string): string {
  return `${deviceId}.${deps.secrets.mac(deviceText(deviceId, email)).toString('base64url')}`
}

function knownDevice(deps: Deps, cookie: string | undefined, email: string): string | undefined {
  const [deviceId = '', signature] = cookie?.split('.') ?? []
  const sent = Buffer.from(signature ?? '', 'base64url')
  return deps.secrets.macMatches(deviceText(deviceId, email), sent) ? deviceId : undefined
}

const deviceText = (deviceId: string, email: string) => `device:${deviceId}:${email}`

const accountHash = (deps: Deps, email: string) =>
  deps.secrets.mac(`account:${email}`).toString('base64url').slice(0, 22)

function throttled({ resetsInSeconds }: Hits): Problem {
  const minutes = Math.ceil(resetsInSeconds / 60)
  return new Problem('login_throttled', `Too many failed sign-ins. Try again in ${minutes} minutes.`, {
    headers: { 'retry-after': String(resetsInSeconds) },
  })
}
