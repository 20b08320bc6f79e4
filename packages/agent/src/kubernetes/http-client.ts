import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { UNAUTHORIZED, type ApiAnswer, type ApiClient } from '../watch/api-client.ts'
import { LoginError, type ClusterAccess, type Credentials } from './cluster-access.ts'
import { proxyAgent } from './proxy-agent.ts'

export type HttpClient = ApiClient & { close: () => void }

/** Requests to one server over persistent connections. Every watch holds one connection. */
export function httpClient(access: ClusterAccess, userAgent = 'plimsoll-agent'): HttpClient {
  const isPlain = access.origin.startsWith('http://')
  const agent = agentOf(access, isPlain)
  const request = isPlain ? httpRequest : httpsRequest
  const send = (url: URL, { headers, tls }: Credentials, accept: string, signal: AbortSignal) =>
    new Promise<HttpAnswer>((resolve, reject) => {
      const all = { ...headers, accept, 'user-agent': userAgent } as Record<string, string | string[]>
      request(url, { agent, signal, headers: all, ...tls }, (response) => resolve(answerOf(response)))
        .on('error', reject)
        .end()
    })
  return {
    get: async (path, query, signal, accept = 'application/json') => {
      const url = new URL(`${access.origin}${path}`)
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
      const credentials = await logIn(access)
      const answer = await send(url, credentials, accept, signal)
      if (answer.status !== UNAUTHORIZED || !access.forgetCredentials) return answer
      // The credentials may have changed since the last read. Unchanged credentials are not retried.
      access.forgetCredentials()
      const renewed = await logIn(access)
      if (isSameLogin(renewed, credentials)) return answer
      answer.body.destroy()
      return send(url, renewed, accept, signal)
    },
    close: () => agent.destroy(),
  }
}

const logIn = (access: ClusterAccess) =>
  access.credentials().catch((error: unknown) => {
    throw new LoginError(error instanceof Error ? error.message : String(error))
  })

function agentOf({ proxy }: ClusterAccess, isPlain: boolean): HttpAgent {
  if (proxy) return proxyAgent(proxy, isPlain)
  return isPlain ? new HttpAgent({ keepAlive: true }) : new HttpsAgent({ keepAlive: true })
}

const isSameLogin = (a: Credentials, b: Credentials) =>
  a.headers.authorization === b.headers.authorization && String(a.tls.cert) === String(b.tls.cert)

type HttpAnswer = ApiAnswer & { body: IncomingMessage }

function answerOf(response: IncomingMessage): HttpAnswer {
  const retryAfter = Number(response.headers['retry-after'])
  return {
    status: response.statusCode ?? 0,
    retryAfter: Number.isFinite(retryAfter) && retryAfter >= 0 ? retryAfter : undefined,
    body: response,
  }
}
