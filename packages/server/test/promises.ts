import { ProblemBody, problems, type ProblemCode } from '@plimsoll/contract'
import { Value } from 'typebox/value'
import { expect } from 'vitest'

export type AnyResponse = {
  statusCode: number
  headers: Record<string, string | string[] | number | undefined>
  body: string
}

/** Headers of every response. */
export function expectPromisedHeaders({ headers }: Pick<AnyResponse, 'headers'>): void {
  for (const name of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']) {
    expect(headers[name], name).toMatch(/^\d+$/)
  }
  const epochSeconds2020 = 1_577_836_800
  expect(Number(headers['x-ratelimit-reset'])).toBeGreaterThan(epochSeconds2020)
  expect(Number(headers['x-ratelimit-remaining'])).toBeLessThanOrEqual(Number(headers['x-ratelimit-limit']))
  expect(headers).toMatchObject({
    'x-request-id': expect.stringMatching(/^[A-Za-z0-9._-]{1,128}$/) as string,
    'content-security-policy': expect.stringContaining("default-src 'none'") as string,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
  })
}

/** A problem (RFC 9457) with all required headers; with a code, exactly that code. */
export function expectProblem(response: AnyResponse, code?: ProblemCode): void {
  expectPromisedHeaders(response)
  expect(response.headers['content-type']).toBe('application/problem+json; charset=utf-8')
  const body: unknown = JSON.parse(response.body)
  if (!Value.Check(ProblemBody, body)) expect.fail(`not a problem: ${response.body}`)
  if (code !== undefined) expect(body).toMatchObject({ code })
  expect(body).toMatchObject({
    status: response.statusCode,
    title: problems[body.code].title,
    type: `/docs#problem-${body.code}`,
    request_id: response.headers['x-request-id'],
  })
  expect(problems[body.code].status).toBe(response.statusCode)
}
