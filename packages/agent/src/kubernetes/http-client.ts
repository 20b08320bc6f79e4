import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { ApiAnswer, ApiClient } from '../watch/api-client.ts'
import type { ClusterAccess } from './cluster-access.ts'

export type HttpClient = ApiClient & { close: () => void }

/** Asks one server, over connections that are kept. Every watch holds one of them. */
export function httpClient(access: ClusterAccess, userAgent = 'plimsoll-agent'): HttpClient {
  const isPlain = access.origin.startsWith('http://')
  const agent = isPlain ? new HttpAgent({ keepAlive: true }) : new HttpsAgent({ keepAlive: true })
  const request = isPlain ? httpRequest : httpsRequest
  return {
    get: async (path, query, signal, accept = 'application/json') => {
      const { headers, tls } = await access.credentials()
      const url = new URL(`${access.origin}${path}`)
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
      return new Promise<ApiAnswer>((resolve, reject) => {
        const options = { agent, signal, headers: { ...headers, accept, 'user-agent': userAgent }, ...tls }
        request(url, options, (response) => resolve(answerOf(response)))
          .on('error', reject)
          .end()
      })
    },
    close: () => agent.destroy(),
  }
}

function answerOf(response: IncomingMessage): ApiAnswer {
  const retryAfter = Number(response.headers['retry-after'])
  return {
    status: response.statusCode ?? 0,
    retryAfter: Number.isFinite(retryAfter) && retryAfter >= 0 ? retryAfter : undefined,
    body: response,
  }
}
