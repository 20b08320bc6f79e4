import { expect, test } from 'vitest'
import { BadSetting, help, readSettings } from './settings.ts'

const url = 'https://plimsoll.example.com'

test('a variable is enough, a flag wins over it, and other settings have defaults', () => {
  expect(readSettings([], { PLIMSOLL_URL: `${url}/` })).toMatchObject({
    url,
    tokenFile: '/etc/plimsoll/token',
    usage: 'auto',
    kubelet: 'off',
    hashNames: false,
    logBytesMax: 2 * 1024 ** 3,
    mode: 'run',
  })
  expect(readSettings(['--url', 'http://other:1', '--once'], { PLIMSOLL_URL: url })).toMatchObject({
    url: 'http://other:1',
    mode: 'once',
  })
})

test('printing the payload needs no server', () => {
  expect(readSettings(['--print-payload'], {})).toMatchObject({ url: '', mode: 'print-payload' })
})

test.each([
  ['PLIMSOLL_URL', 'plimsoll.example.com', 'not a URL'],
  ['PLIMSOLL_URL', 'https://user:secret@plimsoll.example.com', 'must not contain a password'],
  ['PLIMSOLL_USAGE', 'guess', 'not one of'],
  ['PLIMSOLL_KUBELET', 'yes', 'not one of off, on, unverified'],
  ['PLIMSOLL_HASH_NAMES', 'yes', 'neither 0 nor 1'],
  ['PLIMSOLL_HISTORY_DAYS', '35', 'from 0 to 34'],
  ['PLIMSOLL_PORT', '8081.5', 'whole number'],
])('%s=%s is rejected with one sentence', (variable, value, expected) => {
  expect(() => readSettings([], { PLIMSOLL_URL: url, [variable]: value })).toThrow(expected)
})

test.each([
  ['off', 'off'],
  ['on', 'on'],
  ['verified', 'on'],
  ['unverified', 'unverified'],
])('PLIMSOLL_KUBELET=%s is read as %s', (value, kubelet) => {
  expect(readSettings([], { PLIMSOLL_URL: url, PLIMSOLL_KUBELET: value })).toMatchObject({ kubelet })
})

test('unknown and conflicting settings are rejected; help needs no settings', () => {
  expect(() => readSettings(['--tokn', 'x'], { PLIMSOLL_URL: url })).toThrow(BadSetting)
  expect(() => readSettings(['--once', '--dry-run'], { PLIMSOLL_URL: url })).toThrow('cannot be combined')
  expect(readSettings(['--help'], {})).toBeUndefined()
  expect(help).toContain('PLIMSOLL_TOKEN_FILE')
})
