import { expect, test } from 'vitest'
import { isLoopback } from './loopback.ts'

test.each([
  'http://localhost',
  'http://LOCALHOST:8080/path',
  'https://plimsoll.localhost:8443',
  'http://127.0.0.1:8080',
  'http://127.1',
  'http://[::1]:8080',
  'http://user@localhost',
  'http://user:password@127.0.0.1:8080/?a=b',
  'http://localhost?a=b',
])('%s is a loopback address', (url) => {
  expect(isLoopback(url)).toBe(true)
})

test.each([
  'https://costs.example.com',
  'http://localhost.example.com',
  'http://localhost@costs.example.com',
  'http://128.0.0.1',
  'http://10.0.0.1:127',
  'http://[2001:db8::1]',
  'https://costs.example.com/?at=http://localhost',
  'no address',
])('%s is not a loopback address', (url) => {
  expect(isLoopback(url)).toBe(false)
})
