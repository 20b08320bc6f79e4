import type { Demand } from './demands.ts'
import type { Kind } from './kinds.ts'
import type { Tally } from './tally.ts'
import type { SpreadGroup } from './topology-spread.ts'

/** The same kinds with empty tallies, for another simulation. Kinds that shared a tally share its copy. */
export function copyKinds(kinds: readonly Kind[]): Kind[] {
  const tallyOf = copyOnce((_tally: Tally): Tally => new Map())
  const spreadOf = copyOnce((group: SpreadGroup): SpreadGroup => ({
    ...group,
    tally: tallyOf(group.tally),
    least: { stamp: -1, count: 0, domains: 0 },
  }))
  const companyOf = <Company extends { readonly tallies: readonly Tally[] }>(company: Company): Company => ({
    ...company,
    tallies: company.tallies.map(tallyOf),
  })
  const demandOf = (demand: Demand): Demand => {
    switch (demand.filter) {
      case 'pod-anti-affinity':
        return { ...demand, tally: tallyOf(demand.tally) }
      case 'pod-affinity':
        return { ...demand, company: companyOf(demand.company) }
      case 'topology-spread':
        return { ...demand, rule: { ...demand.rule, group: spreadOf(demand.rule.group) } }
    }
  }
  const apartOf = <Apart extends { readonly wanted: Tally; readonly owners: Tally }>(apart: Apart): Apart => ({
    ...apart,
    wanted: tallyOf(apart.wanted),
    owners: tallyOf(apart.owners),
  })
  return kinds.map((kind) => {
    const { broad, narrow, counted } = kind
    if (broad.length + narrow.length === 0 && !kind.isCounted) return kind
    return {
      ...kind,
      broad: broad.map(demandOf),
      narrow: narrow.map(demandOf),
      counted: {
        wanted: counted.wanted.map(apartOf),
        owning: counted.owning.map(apartOf),
        together: counted.together.map(companyOf),
        spread: counted.spread.map(spreadOf),
      },
    }
  })
}

function copyOnce<Value extends object>(copy: (value: Value) => Value): (value: Value) => Value {
  const copies = new Map<Value, Value>()
  return (value) => {
    const known = copies.get(value) ?? copy(value)
    copies.set(value, known)
    return known
  }
}
