import type { Parsed } from './parsing/parse-thread.ts'
import { Problem } from '../platform/http/problem.ts'

export type Proved = Extract<Parsed, { kind: 'proved' }>
type Unproved = Exclude<Parsed, { kind: 'proved' }>

/** The rendering was read and shows that the path is wrong. */
export const isDisproof = ({ kind }: Unproved) => kind === 'nowhere' || kind === 'elsewhere'

/** Why a rendering is no proof, for its sender. */
export function proofProblem(proof: Unproved, sentinel: string, isRemoved: boolean): Problem {
  if (proof.kind === 'busy') {
    const headers = { 'retry-after': '5' }
    return new Problem('rate_limited', 'Other renderings are being read. Send this one again later.', { headers })
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
      return { code: 'too_slow', detail: 'takes too long to read' }
    case 'too_large':
      return { code: 'too_large', detail: 'takes too much memory to read' }
    case 'nowhere':
      return {
        code: 'nowhere',
        detail: `has ${sentinel} as CPU request of no container. The chart does not use this path, or it was rendered with another value`,
      }
    case 'elsewhere':
      return { code: 'elsewhere', detail: `has ${sentinel} as ${proof.where} as well or instead` }
  }
}
