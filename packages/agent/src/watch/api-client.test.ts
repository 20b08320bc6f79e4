import { expect, test } from 'vitest'
import { ApiError, refusal } from './api-client.ts'

const answer = (text: string) => ({
  status: 403,
  retryAfter: 7,
  body: (async function* () {
    yield Buffer.from(text)
  })(),
})

test.each([
  ['{"kind":"Status","message":"pods is forbidden"}', 'the API server answered 403: pods is forbidden'],
  ['{"status":"error","error":"bad query"}', 'the API server answered 403: bad query'],
  ['<html>no</html>\n', 'the API server answered 403: <html>no</html>'],
  ['', 'the API server answered 403'],
  ['null', 'the API server answered 403: null'],
])('the rejection of %s is reported as %s', async (text, expected) => {
  expect(await refusal(answer(text))).toMatchObject({ message: expected, status: 403, retryAfter: 7 })
})

test('the error names the responding system', async () => {
  expect((await refusal(answer('busy'), 'Prometheus')).message).toBe('Prometheus answered 403: busy')
  expect(new ApiError(500, 'x', { source: 'a kubelet' }).message).toBe('a kubelet answered 500: x')
})
