import { Problem } from '../platform/http/problem.ts'

const weightPattern = /^[0-9]{1,9}$/

/** `shop=3,data=1`. The last equals sign separates name and weight. */
export function parseWeights(
  text: string | undefined,
  { isWeighted, dimensions }: { isWeighted: boolean; dimensions: number },
): Map<string, bigint> {
  if (text === undefined) {
    if (isWeighted) throw refuse('is required for weighted sharing, such as shop=3,data=1')
    return new Map()
  }
  if (!isWeighted) throw refuse('requires share_idle=weighted or share_overhead=weighted')
  if (dimensions !== 1) throw refuse('requires exactly one dimension in `by` or `group_by`')
  const weights = new Map(text.split(',').map(parseWeight))
  if ([...weights.values()].every((weight) => weight === 0n)) throw refuse('must have at least one weight above 0')
  return weights
}

function parseWeight(entry: string): [string, bigint] {
  const at = entry.lastIndexOf('=')
  const weight = entry.slice(at + 1)
  if (at < 1 || !weightPattern.test(weight))
    throw refuse(`'${entry.slice(0, 80)}' is not name=weight with a whole number`)
  return [entry.slice(0, at), BigInt(weight)]
}

const refuse = (detail: string) =>
  new Problem('invalid_parameter', `share_weights: ${detail}.`, {
    errors: [{ parameter: 'share_weights', code: 'weights', detail }],
  })
