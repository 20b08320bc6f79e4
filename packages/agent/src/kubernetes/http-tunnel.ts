import type { Socket } from 'node:net'
import { SocketReader } from './socket-reader.ts'
import type { TunnelTarget } from './tunnel-target.ts'

const answerBytesMax = 16_384

/** Requests a tunnel from an HTTP proxy (CONNECT). */
export async function openHttpTunnel(socket: Socket, proxy: URL, { host, port }: TunnelTarget): Promise<void> {
  const target = `${host.includes(':') ? `[${host}]` : host}:${port}`
  const login = proxy.username === '' ? [] : [`Proxy-Authorization: Basic ${basicOf(proxy)}`]
  socket.write(`${[`CONNECT ${target} HTTP/1.1`, `Host: ${target}`, ...login].join('\r\n')}\r\n\r\n`)
  const answer = await new SocketReader(socket).through('\r\n\r\n', answerBytesMax)
  const [, status = ''] = /^HTTP\/1\.[01] (\d{3})/.exec(answer) ?? []
  if (status !== '200') {
    throw new Error(`the proxy ${proxy.host} refused the connection to ${target}: ${answer.split('\r\n')[0] ?? ''}`)
  }
}

const basicOf = ({ username, password }: URL) =>
  Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')
