import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { identify } from '../platform/auth/authenticate.ts'
import type { Deps } from '../platform/deps.ts'
import { handleClientError } from '../platform/http/raw-errors.ts'
import { StartupError } from '../platform/startup-error.ts'

/** A key that the listener may use. Its callers have no credential, so the key must not change anything. */
export async function demandListenerKey(deps: Deps, apiKey: string): Promise<void> {
  const { caller } = (await identify(deps, { kind: 'api_key', text: apiKey })) ?? {}
  if (!caller) throw wrongKey('is unknown, expired or revoked')
  if (!caller.permissions.has('reports:read')) throw wrongKey('needs the permission reports:read')
  const other = [...caller.permissions].filter((each) => !each.endsWith(':read'))
  if (other.length > 0)
    throw wrongKey(
      `may do more than read: ${other.join(', ')}. Everyone who reaches the listener acts as this key. ` +
        'Create a key with the scope reports:read',
    )
}

const wrongKey = (problem: string) => new StartupError(`The API key in PLIMSOLL_OPENCOST_KEY_FILE ${problem}.`)

const requestMsMax = 30_000

/**
 * Serves the OpenCost-compatible API alone, as one API key: clients of OpenCost send no credentials. All paths are below
 * `/model`, where the app has no other routes.
 */
export function makeOpencostServer(app: FastifyInstance, deps: Deps, apiKey: string): Server {
  const limits = { requestTimeout: requestMsMax, headersTimeout: requestMsMax, maxHeaderSize: 16 * 1024 }
  const server = createServer({ ...limits, requireHostHeader: false }, (request, response) => {
    request.url = pathBelowModel(request.url ?? '/')
    actAs(request, apiKey)
    app.routing(request, response)
  })
  return server.on('clientError', (error, socket) => {
    if ('remoteAddress' in socket) handleClientError(deps, error, socket as Parameters<typeof handleClientError>[2])
    else socket.destroy()
  })
}

const pathBelowModel = (url: string) => (/^\/model(?:[/?]|$)/.test(url) ? url : `/model${url}`)

/** Credentials of the client do not count: it might also send a cookie of the dashboard. */
function actAs({ headers }: IncomingMessage, apiKey: string): void {
  delete headers.authorization
  delete headers.cookie
  headers['x-api-key'] = apiKey
}

type Listening = { host: string; port: number }

export async function listenForOpencost(server: Server, { host, port }: Listening): Promise<() => Promise<void>> {
  try {
    server.listen({ host, port })
    await once(server, 'listening')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const reason = code === 'EADDRINUSE' ? 'the port is in use' : message
    throw new StartupError(`Cannot serve OpenCost on ${host}:${port} (${reason}). Change PLIMSOLL_OPENCOST_LISTEN.`)
  }
  return async () => {
    const closed = once(server, 'close')
    server.close()
    const idle = setInterval(() => server.closeIdleConnections(), 50)
    const patience = setTimeout(() => server.closeAllConnections(), requestMsMax / 2)
    await closed
    clearInterval(idle)
    clearTimeout(patience)
  }
}
