import { lookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import type { AddressGuard } from './address-guard.ts'

export type Resolved = { address: string; family: number }

export class AddressRefusedError extends Error {}

/**
 * The addresses of a URL, after the guard has checked all of them. A request must connect to these and not resolve the
 * name again, so that a name cannot change its address in between. Plain HTTP is allowed only to networks that the
 * operator has allowed.
 */
export async function judgedAddresses(url: URL, guard: AddressGuard, signal: AbortSignal): Promise<Resolved[]> {
  const addresses = await beforeAbort(resolve(url.hostname.replace(/^\[|\]$/g, '')), signal)
  if (addresses.every(({ address }) => isAllowed(guard, url, address))) return addresses
  throw new AddressRefusedError(
    'the address is private or a metadata service, or uses plain http: PLIMSOLL_OUTBOUND_NETWORKS allows private networks',
  )
}

/** For `http.request`: connects to the checked addresses. */
export const lookupOf =
  (addresses: readonly Resolved[]): LookupFunction =>
  (_host, options, callback) => {
    const [first] = addresses
    if (options.all) callback(null, [...addresses])
    else callback(null, first?.address ?? '', first?.family)
  }

async function resolve(host: string): Promise<Resolved[]> {
  const family = isIP(host)
  return family === 0 ? lookup(host, { all: true }) : [{ address: host, family }]
}

function isAllowed(guard: AddressGuard, { protocol }: URL, address: string): boolean {
  const verdict = guard.judge(address)
  return protocol === 'https:' ? verdict !== 'refused' : verdict === 'allowed'
}

function beforeAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((done, fail) => {
    signal.addEventListener('abort', () => fail(reasonOf(signal)), { once: true })
    work.then(done, fail)
  })
}

const reasonOf = ({ reason }: AbortSignal) => (reason instanceof Error ? reason : new Error('aborted'))
