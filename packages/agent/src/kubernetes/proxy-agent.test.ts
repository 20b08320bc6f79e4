import { createServer as createHttp } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { connect, createServer as createTcp, type AddressInfo, type Server, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { aCertificate, anAuthority } from '../../../../test/certificates.ts'
import { text } from '../watch/lines.ts'
import { httpClient } from './http-client.ts'

const authority = anAuthority('authority')
const sockets = new Set<Socket>()

async function listen(server: Server): Promise<number> {
  server.on('connection', (socket: Socket) => sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** Only the proxies resolve this name. */
const name = 'kube.test.invalid'
const startApi = () => listen(createHttps(aCertificate(name, authority), (_request, response) => response.end('hello')))

const join = (from: Socket, port: number) => {
  const to = connect(port, '127.0.0.1')
  sockets.add(to)
  from.pipe(to).pipe(from)
  for (const socket of [from, to]) socket.on('error', () => undefined)
}

async function ask(proxy: string, port: number, tls: object = { ca: authority.cert }) {
  const access = {
    origin: `https://${name}:${port}`,
    credentials: async () => ({ headers: {}, tls }),
    proxy: new URL(proxy),
  }
  const client = httpClient(access)
  onTestFinished(() => client.close())
  return text((await client.get('/', {}, AbortSignal.timeout(20_000))).body)
}

test('an HTTP proxy gets its login, opens a tunnel and sees only TLS', async () => {
  const api = await startApi()
  const requests: unknown[] = []
  const proxy = createHttp().on('connect', (request, socket: Socket, head) => {
    requests.push([request.url, request.headers['proxy-authorization'], head.length])
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
    join(socket, api)
  })
  const port = await listen(proxy)
  expect(await ask(`http://ada:s%2Fecret@127.0.0.1:${port}`, api)).toBe('hello')
  expect(requests).toEqual([[`${name}:${api}`, `Basic ${Buffer.from('ada:s/ecret').toString('base64')}`, 0]])
})

test('the certificate of the server is verified behind a proxy too', async () => {
  const api = await startApi()
  const proxy = createHttp().on('connect', (_request, socket: Socket) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    join(socket, api)
  })
  const url = `http://127.0.0.1:${await listen(proxy)}`
  await expect(ask(url, api, {})).rejects.toThrow(/certificate/)
  await expect(ask(url, api, { ca: authority.cert, servername: 'other.invalid' })).rejects.toThrow(/altnames|match/)
  expect(await ask(url, api, { rejectUnauthorized: false })).toBe('hello')
})

test('a proxy that refuses is named with its response', async () => {
  const port = await listen(
    createHttp().on('connect', (_request, socket) => socket.end('HTTP/1.1 407 Login first\r\n\r\n')),
  )
  await expect(ask(`http://127.0.0.1:${port}`, 443)).rejects.toThrow(
    `the proxy 127.0.0.1:${port} refused the connection to ${name}:443: HTTP/1.1 407 Login first`,
  )
})

test('a SOCKS5 proxy resolves names itself and gets its login', async () => {
  const api = await startApi()
  const received: string[] = []
  const proxy = createTcp((socket) => {
    const answers = [Buffer.from([5, 2]), Buffer.from([1, 0]), Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0])]
    const receive = (chunk: Buffer) => {
      received.push(chunk.toString('latin1'))
      const answer = answers.shift()
      if (answers.length === 0) {
        socket.off('data', receive)
        join(socket, api)
      }
      if (answer) socket.write(answer)
    }
    socket.on('data', receive)
  })
  const port = await listen(proxy)
  expect(await ask(`socks5://ada:secret@127.0.0.1:${port}`, api)).toBe('hello')
  expect(received[1]).toBe('\u0001\u0003ada\u0006secret')
  expect(received[2]).toContain(name)
})

test('the error of a SOCKS5 proxy that cannot connect states the cause', async () => {
  const proxy = createTcp((socket) => {
    const answers = [Buffer.from([5, 0]), Buffer.from([5, 4, 0, 1, 0, 0, 0, 0, 0, 0])]
    socket.on('data', () => socket.write(answers.shift() ?? ''))
  })
  const port = await listen(proxy)
  await expect(ask(`socks5://127.0.0.1:${port}`, 443)).rejects.toThrow('host unreachable')
})
