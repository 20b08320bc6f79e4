import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { expectProblem, expectPromisedHeaders } from '../../../test/promises.ts'
import { exchange, rawRequest } from '../../../test/raw-http.ts'
import { send, useTestApp } from '../../../test/test-app.ts'
import { buildApp } from '../../app.ts'
import { makeMetricsServer } from './metrics-server.ts'

const t = useTestApp()
let port: number

beforeAll(async () => {
  const server = makeMetricsServer(t.deps)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
  return () => server.close()
})

const request = (line: string) => exchange(port, rawRequest(`${line} HTTP/1.1`, ['Host: plimsoll.test']))

test('the metrics listener serves Prometheus metrics', async () => {
  const response = await request('GET /metrics?name=x')
  expect(response.statusCode).toBe(200)
  expectPromisedHeaders(response)
  expect(response.body).toContain('plimsoll_process_cpu_seconds_total')
})

test('the metrics listener serves nothing else', async () => {
  const missing = await request('GET /api/v1/clusters')
  expect(missing.statusCode).toBe(404)
  expectProblem(missing, 'not_found')
  const refused = await request('POST /metrics')
  expect([refused.statusCode, refused.headers.allow]).toEqual([405, 'GET, HEAD'])
})

test('with a metrics listener the main listener serves no metrics', async () => {
  expect((await send(t, { url: '/metrics' })).statusCode).toBe(200)
  const app = await buildApp(t.deps, { servesMetrics: false })
  onTestFinished(() => app.close())
  expect((await send({ app }, { url: '/metrics' })).statusCode).toBe(404)
})
