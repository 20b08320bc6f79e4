import { isIPv4, type Socket } from 'node:net'
import { SocketReader } from './socket-reader.ts'
import type { TunnelTarget } from './tunnel-target.ts'

const version = 5
const methods = { none: 0, password: 2 } as const
const addressTypes = { ipv4: 1, name: 3, ipv6: 4 } as const
const connectCommand = 1

/** Error texts of RFC 1928. */
const failures = [
  '',
  'general failure',
  'not allowed by its rules',
  'network unreachable',
  'host unreachable',
  'connection refused',
]

/** Requests a tunnel from a SOCKS5 proxy, which resolves names. */
export async function openSocksTunnel(socket: Socket, proxy: URL, target: TunnelTarget): Promise<void> {
  const reader = new SocketReader(socket)
  const offered = proxy.username === '' ? [methods.none] : [methods.none, methods.password]
  socket.write(Buffer.from([version, offered.length, ...offered]))
  const [answered, method] = await reader.bytes(2)
  if (answered !== version) throw new Error(`the proxy ${proxy.host} does not support SOCKS5`)
  if (method === methods.password) await logIn(socket, reader, proxy)
  else if (method !== methods.none) throw new Error(`the proxy ${proxy.host} requires an unsupported login method`)
  const port = Buffer.alloc(2)
  port.writeUInt16BE(target.port)
  socket.write(Buffer.concat([Buffer.from([version, connectCommand, 0]), addressOf(target.host), port]))
  const [, failure = 1, , type] = await reader.bytes(4)
  if (failure !== 0) {
    const why = failures[failure] ?? `failure ${failure}`
    throw new Error(`the proxy ${proxy.host} refused the connection to ${target.host}:${target.port}: ${why}`)
  }
  // The bound address of the proxy is not needed.
  const length = type === addressTypes.ipv4 ? 4 : type === addressTypes.ipv6 ? 16 : ((await reader.bytes(1))[0] ?? 0)
  await reader.bytes(length + 2)
}

/** User name and password authentication of RFC 1929. */
async function logIn(socket: Socket, reader: SocketReader, { username, password, host }: URL): Promise<void> {
  const [name, secret] = [Buffer.from(decodeURIComponent(username)), Buffer.from(decodeURIComponent(password))]
  socket.write(Buffer.concat([Buffer.from([1, name.length]), name, Buffer.from([secret.length]), secret]))
  const [, failure] = await reader.bytes(2)
  if (failure !== 0) throw new Error(`the proxy ${host} rejects the username and password of the proxy-url`)
}

/** IPv6 addresses are sent as names, which proxies accept. */
function addressOf(host: string): Buffer {
  if (isIPv4(host)) return Buffer.from([addressTypes.ipv4, ...host.split('.').map(Number)])
  const name = Buffer.from(host)
  return Buffer.concat([Buffer.from([addressTypes.name, name.length]), name])
}
