import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { AddressGuard } from './address-guard.ts'
import { judgedAddresses, lookupOf } from './judged-address.ts'

export type GuardedFetch = { guard: AddressGuard; msMax: number; bytesMax: number }

type Sent = { method: string; headers: Record<string, string>; body?: string }

/** Like `fetch`, for an address outside: guarded, without redirects, and with limits of time and size. */
export async function fetchGuarded(address: string, sent: Sent, limits: GuardedFetch): Promise<Response> {
  const url = new URL(address)
  const signal = AbortSignal.timeout(limits.msMax)
  const addresses = await judgedAddresses(url, limits.guard, signal)
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((done, fail) => {
    const sending = request(url, {
      method: sent.method,
      headers: { 'user-agent': 'Plimsoll', ...sent.headers },
      lookup: lookupOf(addresses),
      // A connection that stays open would skip the check of the address.
      agent: false,
      signal,
    })
    sending.once('error', fail)
    sending.once('response', (answer) => {
      readBody(answer, limits.bytesMax)
        .then((body) => done(responseOf(answer, body)))
        .catch(fail)
    })
    sending.end(sent.body)
  })
}

async function readBody(answer: IncomingMessage, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > bytesMax) {
      answer.destroy()
      throw new Error(`the response has more than ${bytesMax} bytes`)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const bodiless = new Set([204, 205, 304])

function responseOf({ statusCode = 502, headers }: IncomingMessage, body: Buffer): Response {
  const shown = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
  )
  return new Response(bodiless.has(statusCode) ? null : new Uint8Array(body), { status: statusCode, headers: shown })
}
