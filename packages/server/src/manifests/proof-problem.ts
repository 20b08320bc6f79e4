import type { Parsed } from './parsing/parse-thread.ts'
import { Problem } from '../platform/http/problem.ts'

export type Proved = Extract<Parsed, { kind: 'proved' }>
type Unproved = Exclude<Parsed, { kind: 'proved' }>

/** The rendering was read and shows that the path is wrong. */
export const isDisproof = ({ kind }: Unproved) => kind === 'nowhere' || kind === 'elsewhere'

/** Why a rendering is not a proof, for its sender. */
export function proofProblem(proof: Unproved, sentinel: string, isRemoved: boolean): Problem {
  if (proof.kind === 'busy') {
    const headers = { 'retry-after': '5' }
    return new Problem(
      'rate_limited',
      'Too many rendered charts are being checked. Send the request again in 5 seconds.',
      {
        headers,
      },
    )
  }
  const pointer = '/rendered'
  const { code, detail: reason } = reasonOf(proof, sentinel)
  const detail = `${reason}${isRemoved ? '. The stored path was removed' : ''}`
  return new Problem('invalid_body', `${pointer}: ${detail}.`, { errors: [{ pointer, code, detail }] })
}

function reasonOf(proof: Exclude<Unproved, { kind: 'busy' }>, sentinel: string): { code: string; detail: string } {
  switch (proof.kind) {
    case 'refused':
      return { code: proof.code, detail: proof.detail }
    case 'too_slow':
      return { code: 'too_slow', detail: 'takes too long to parse' }
    case 'too_large':
      return { code: 'too_large', detail: 'takes too much memory to parse' }
    case 'nowhere':
      return {
        code: 'nowhere',
        detail: `has no container with the CPU request ${sentinel}. The chart does not use this path, or the chart was rendered with another value`,
      }
    case 'elsewhere':
      return {
        code: 'elsewhere',
        detail: `contains ${sentinel} at ${proof.where}, so the path is wrong, or several containers use it`,
      }
  }
}
