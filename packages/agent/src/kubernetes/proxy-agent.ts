import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent, type RequestOptions } from 'node:https'
import { connect as connectTcp, isIP, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import { openHttpTunnel } from './http-tunnel.ts'
import { openSocksTunnel } from './socks-tunnel.ts'
import type { TunnelTarget } from './tunnel-target.ts'

type Connected = (error: Error | null, stream: Duplex) => void

/** A slower proxy counts as unavailable. */
const tunnelMs = 30_000

/** Connections to a server through a proxy. TLS ends at the server, so the proxy cannot read the traffic. */
export function proxyAgent(proxy: URL, isPlain: boolean): HttpAgent {
  const agent = isPlain ? new HttpAgent({ keepAlive: true }) : new HttpsAgent({ keepAlive: true })
  const connect = isPlain ? connectPlain : connectSecured
  agent.createConnection = (options: RequestOptions, callback?: Connected) =>
    handOver(connect(proxy, options), callback)
  return agent
}

const connectPlain = (proxy: URL, options: RequestOptions): Promise<Duplex> => openTunnel(proxy, targetOf(options, 80))

async function connectSecured(proxy: URL, options: RequestOptions): Promise<Duplex> {
  const target = targetOf(options, 443)
  const socket = await openTunnel(proxy, target)
  const { ca, cert, key, rejectUnauthorized, servername = isIP(target.host) === 0 ? target.host : '' } = options
  return connectTls({ socket, host: target.host, servername, ca, cert, key, rejectUnauthorized })
}

function handOver(connecting: Promise<Duplex>, callback?: Connected): undefined {
  connecting.then(
    (stream) => callback?.(null, stream),
    // A callback with an error ignores the stream.
    (error: Error) => (callback as ((error: Error) => void) | undefined)?.(error),
  )
}

const targetOf = ({ host, port }: RequestOptions, otherwise: number): TunnelTarget => ({
  host: (host ?? 'localhost').replace(/^\[|\]$/g, ''),
  port: Number(port ?? otherwise),
})

async function openTunnel(proxy: URL, target: TunnelTarget): Promise<Socket> {
  const socket = connectProxy(proxy)
  socket.setTimeout(tunnelMs, () => socket.destroy(new Error(`the proxy ${proxy.host} does not answer`)))
  // The reader reports errors during the handshake, and the request reports later ones.
  const onError = () => undefined
  socket.on('error', onError)
  try {
    if (proxy.protocol.startsWith('socks5')) await openSocksTunnel(socket, proxy, target)
    else await openHttpTunnel(socket, proxy, target)
    socket.setTimeout(0)
    return socket
  } catch (error) {
    socket.destroy()
    throw error
  } finally {
    socket.off('error', onError)
  }
}

function connectProxy({ protocol, hostname, port }: URL): Socket {
  const host = hostname.replace(/^\[|\]$/g, '')
  if (protocol !== 'https:') {
    return connectTcp({ host, port: Number(port || (protocol === 'http:' ? 80 : 1080)) })
  }
  return connectTls({ host, port: Number(port || 443), ...(isIP(host) === 0 ? { servername: host } : {}) })
}
