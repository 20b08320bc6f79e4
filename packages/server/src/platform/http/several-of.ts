import { Problem, quoted } from './problem.ts'

/** Comma-separated values, each one of these: a mistyped one must not look like an empty result. */
export function severalOf<Known extends string>(
  parameter: string,
  text: string | undefined,
  known: readonly Known[],
): Known[] | undefined {
  const values = text?.split(',')
  const wrong = values?.find((value) => !known.some((each) => each === value))
  if (wrong === undefined) return values as Known[] | undefined
  const detail = `must be one or more of ${known.join(', ')}, got ${quoted(wrong)}`
  throw new Problem('invalid_parameter', `${parameter}: ${detail}.`, { errors: [{ parameter, code: 'enum', detail }] })
}

/** Half-open ranges: an empty or reversed range is an error. */
export function demandForward(from: string | undefined, to: string | undefined): void {
  if (from === undefined || to === undefined || new Date(from) < new Date(to)) return
  const detail = `must be before to, ${quoted(to)}, got ${quoted(from)}`
  throw new Problem('invalid_parameter', `from: ${detail}.`, {
    errors: [{ parameter: 'from', code: 'reversed', detail }],
  })
}
