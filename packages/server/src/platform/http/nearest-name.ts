/**
 * The known name that was probably meant, if one is close enough: `ids` for `recommendation_ids`, `regoin` for
 * `region`.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  // A long text is not a mistyped name, and comparing it takes long.
  if (name.length > 60) return undefined
  const [part, another] = known.filter((each) => each.endsWith(`_${name}`) || name.endsWith(`_${each}`))
  if (part !== undefined && another === undefined) return part
  const slipsMax = Math.min(2, Math.floor(name.length / 3))
  return known.find((each) => slips(name, each) <= slipsMax)
}

/** Letters to add, remove or replace (Levenshtein). */
function slips(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (const [row, letter] of [...a].entries()) {
    const next = [row + 1]
    for (let at = 1; at <= b.length; at += 1) {
      const same = (above[at - 1] ?? 0) + (letter === b[at - 1] ? 0 : 1)
      next.push(Math.min(same, (above[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1))
    }
    above = next
  }
  return above[b.length] ?? 0
}
