import type { FastifyRequest } from 'fastify'
import { countHit, findHits, forgetHits, type Hits } from '../db/rate-limits.ts'
import type { Deps } from '../deps.ts'
import { addressBlock } from '../address.ts'
import { Problem } from '../problem.ts'

export const deviceCookie = 'plimsoll_device'

const windowSeconds = 15 * 60
const failuresMax = { account: 10, address: 100 }

export type LoginAttempt = { accountBucket: string; addressBucket: string }

/**
 * Failures are counted per account *and* address, so guessing from elsewhere never locks the owner out. A browser that
 * has signed in to the account before has a count of its own: not even somebody behind the same address can fill it.
 * The attempt is counted before the password is looked at, so that parallel guesses cannot slip past.
 */
export async function beginLogin(deps: Deps, request: FastifyRequest, email: string): Promise<LoginAttempt> {
  const address = addressBlock(request.ip)
  const device = knownDevice(deps, request.cookies[deviceCookie], email)
  const attempt = {
    accountBucket: `login-failures:${device ?? address}:${accountHash(deps, email)}`,
    addressBucket: `login-failures:${address}`,
  }
  const account = await countHit(deps.db, attempt.accountBucket, windowSeconds)
  if (account.hits > failuresMax.account) throw throttled(account)
  const fromAddress = device ? undefined : await findHits(deps.db, attempt.addressBucket)
  if (fromAddress && fromAddress.hits >= failuresMax.address) throw throttled(fromAddress)
  return attempt
}

export async function noteFailedLogin(deps: Deps, { addressBucket }: LoginAttempt): Promise<void> {
  deps.metrics.failedLogins.inc()
  await countHit(deps.db, addressBucket, windowSeconds)
}

export async function forgetFailedLogins(deps: Deps, { accountBucket }: LoginAttempt): Promise<void> {
  await forgetHits(deps.db, accountBucket)
}

/** Proves only that this browser has signed in to this account; it opens nothing by itself. */
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
  return new Problem('login_throttled', `Too many failed log-ins; try again in ${minutes} minutes.`, {
    headers: { 'retry-after': String(resetsInSeconds) },
  })
}
