import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { AddressGuard } from './address-guard.ts'
import { AddressRefusedError, judgedAddresses, lookupOf, type Resolved } from './judged-address.ts'

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
 * Sends a POST to an address that a user entered. Each call resolves the name, checks every address, and connects to the
 * checked ones, so that a name cannot change its address in between. Redirects are not followed. Plain HTTP is
 * allowed only to networks that the operator has allowed.
 */
export async function postGuarded(post: Post): Promise<PostResult> {
  const signal = AbortSignal.timeout(post.msMax)
  try {
    const url = new URL(post.url)
    const addresses = await judgedAddresses(url, post.guard, signal)
    return await send(url, post, addresses, signal)
  } catch (error) {
    if (error instanceof AddressRefusedError) return { kind: 'failed', error: 'address_refused' }
    return { kind: 'failed', error: signal.aborted ? 'timeout' : failureOf(error) }
  }
}

function send(url: URL, { headers, body }: Post, addresses: Resolved[], signal: AbortSignal): Promise<PostResult> {
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
      lookup: lookupOf(addresses),
      // A connection that stays open would skip the check of the address.
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

/** The class of an error. Its message may contain the address, so the message is not kept. */
function failureOf(error: unknown): PostFailure {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (/^(?:ENOTFOUND|EAI_\w+|ENODATA)$/.test(code)) return 'dns'
  return /^(?:ERR_TLS|ERR_SSL|EPROTO|CERT_|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH)/.test(code)
    ? 'tls'
    : 'connection'
}
