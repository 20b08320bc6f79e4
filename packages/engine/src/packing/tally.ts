/** The number of pods by domain. A domain without pods is absent. */
export type Tally = Map<number, number>

export function countIn(tally: Tally, domain: number, by: 1 | -1): void {
  if (domain < 0) return
  const count = (tally.get(domain) ?? 0) + by
  if (count === 0) tally.delete(domain)
  else tally.set(domain, count)
}
