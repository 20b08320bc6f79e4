import { lookup } from 'node:dns/promises'
import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { AddressGuard } from './address-guard.ts'

export type PostFailure = 'address_refused' | 'connection' | 'dns' | 'timeout' | 'tls'

export type PostResult =
  { kind: 'answered'; status: number; retryAfter: string | undefined } | { kind: 'failed'; error: PostFailure }

export type Post = {
  url: string
  headers: Record<string, string>
  body: string
  guard: AddressGuard
  msMax: number
}

/** An answer may be endless. Its body is read for this long, so that the receiver can finish, and then dropped. */
const drainMs = 1_000

/**
 * Sends a POST to an address that a user entered. Each call resolves the name, judges every address, and connects to the
 * judged ones, so that a name cannot change its address in between. Redirects are not followed. Plain HTTP is
 * allowed only to networks that the operator has allowed.
 */
export async function postGuarded(post: Post): Promise<PostResult> {
  const signal = AbortSignal.timeout(post.msMax)
  try {
    const url = new URL(post.url)
    const addresses = await beforeAbort(resolve(url.hostname.replace(/^\[|\]$/g, '')), signal)
    if (!addresses.every(({ address }) => isAllowed(post.guard, url, address)))
      return { kind: 'failed', error: 'address_refused' }
    return await send(url, post, addresses, signal)
  } catch (error) {
    return { kind: 'failed', error: signal.aborted ? 'timeout' : failureOf(error) }
  }
}

type Resolved = { address: string; family: number }

async function resolve(host: string): Promise<Resolved[]> {
  const family = isIP(host)
  return family === 0 ? lookup(host, { all: true }) : [{ address: host, family }]
}

function isAllowed(guard: AddressGuard, { protocol }: URL, address: string): boolean {
  const verdict = guard.judge(address)
  return protocol === 'https:' ? verdict !== 'refused' : verdict === 'allowed'
}

function send(url: URL, { headers, body }: Post, addresses: Resolved[], signal: AbortSignal): Promise<PostResult> {
  const judged: LookupFunction = (_host, options, callback) => {
    const [first] = addresses
    if (options.all) callback(null, addresses)
    else callback(null, first?.address ?? '', first?.family)
  }
  const bytes = Buffer.from(body)
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((done, fail) => {
    const sending = request(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-length': bytes.length,
        'user-agent': 'Plimsoll',
        ...headers,
      },
      lookup: judged,
      // A kept connection would outlive the judgement of its address.
      agent: false,
      signal,
    })
    sending.once('error', fail)
    sending.once('response', (answer) => {
      drop(answer)
      done({ kind: 'answered', status: answer.statusCode ?? 0, retryAfter: answer.headers['retry-after'] })
    })
    sending.end(bytes)
  })
}

function drop(answer: IncomingMessage): void {
  answer.on('error', () => undefined)
  answer.resume()
  const dropping = setTimeout(() => answer.destroy(), drainMs)
  answer.once('close', () => clearTimeout(dropping))
}

function beforeAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((done, fail) => {
    signal.addEventListener('abort', () => fail(new Error('aborted')), { once: true })
    work.then(done, fail)
  })
}

/** The class of an error. Its message may contain the address, so the message is not kept. */
function failureOf(error: unknown): PostFailure {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (/^(?:ENOTFOUND|EAI_\w+|ENODATA)$/.test(code)) return 'dns'
  return /^(?:ERR_TLS|ERR_SSL|EPROTO|CERT_|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH)/.test(code)
    ? 'tls'
    : 'connection'
}
