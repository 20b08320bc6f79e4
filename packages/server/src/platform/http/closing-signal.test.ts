import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { expect, test, vi } from 'vitest'
import { patience } from '../../../test/patience.ts'
import { closingSignal } from './closing-signal.ts'

test('the signal aborts when the client closes the connection before the response', async () => {
  const app = Fastify()
  const signals: AbortSignal[] = []
  app.get('/', async (_request, reply) => {
    signals.push(closingSignal(reply))
    await new Promise(() => undefined)
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n')
  await vi.waitUntil(() => signals.length === 1, patience)
  expect(signals[0]?.aborted).toBe(false)
  const closed = once(socket, 'close')
  socket.destroy()
  await closed
  await vi.waitUntil(() => signals[0]?.aborted, patience)
  await app.close()
})
