import { expect, test } from 'vitest'
import { proxyFor } from './proxy-for.ts'

const env = { HTTPS_PROXY: 'http://proxy:3128', NO_PROXY: '.internal, 10.0.0.0/8 ,exact.example.com:6443' }

test.each([
  ['https://kube.example.com:6443', 'http://proxy:3128/'],
  ['https://api.internal:6443', undefined],
  ['https://10.1.2.3', undefined],
  ['https://11.1.2.3', 'http://proxy:3128/'],
  ['https://exact.example.com:6443', undefined],
  ['https://exact.example.com', 'http://proxy:3128/'],
  ['https://127.0.0.1:6443', undefined],
  ['https://[::1]:6443', undefined],
  ['http://kube.example.com', undefined],
])('%s is reached through %s', (origin, proxy) => {
  expect(proxyFor(origin, undefined, env)?.href).toBe(proxy)
})

test('the proxy-url of the kubeconfig wins over the environment, also for localhost', () => {
  expect(proxyFor('https://127.0.0.1:6443', 'socks5://other:1080', env)?.href).toBe('socks5://other:1080')
})

test('a proxy without a scheme uses http; NO_PROXY=* disables the proxy', () => {
  expect(proxyFor('https://x', undefined, { https_proxy: 'proxy:3128' })?.href).toBe('http://proxy:3128/')
  expect(proxyFor('https://x', undefined, { https_proxy: 'proxy:3128', no_proxy: '*' })).toBeUndefined()
})
