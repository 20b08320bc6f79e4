import { Problem } from '../platform/http/problem.ts'
import type { BudgetRow } from './queries/budgets.ts'
import { isInside } from './scope-inside.ts'

type Branch = Pick<BudgetRow, 'budget_id' | 'name' | 'scope' | 'counts_shared' | 'period' | 'parent_id'>

type Editor = {
  readonly maySee: (budget: Branch) => boolean
  /** The parent before the edit, which the editor may keep without seeing it. */
  readonly parentBefore: string | null
}

/**
 * The scope of a child lies inside the scope of its parent, with the same period, and no budget contains itself. A parent that
 * the editor may not see is missing, and no problem contains its name.
 */
export function demandTree(budget: Branch, all: readonly Branch[], { maySee, parentBefore }: Editor): void {
  const others = all.filter(({ budget_id: id }) => id !== budget.budget_id)
  if (budget.parent_id !== null) {
    const parent = others.find(({ budget_id: id }) => id === budget.parent_id)
    const isHidden = parent !== undefined && !maySee(parent)
    if (!parent || (isHidden && parent.budget_id !== parentBefore))
      throw outside('/parent_id', `there is no budget ${budget.parent_id} that you can use as a parent`)
    if (isBelow(parent, budget, others)) throw outside('/parent_id', `${parent.name} is a child of ${budget.name}`)
    demandInside(budget, isHidden ? { ...parent, name: 'its parent' } : parent)
  }
  for (const child of others.filter(({ parent_id: parent }) => parent === budget.budget_id)) demandInside(child, budget)
}

function demandInside(child: Branch, parent: Branch): void {
  if (child.period !== parent.period)
    throw outside('/period', `${child.name} and ${parent.name} have different periods`)
  demandSameSharing(child, parent)
  if (isInside(child.scope, parent.scope)) return
  throw outside(
    '/scope',
    `the scope of ${child.name} must have every field of the scope of ${parent.name}, with the same or fewer values`,
  )
}

/** Else a child could cost more than its parent. The cost of whole clusters is the same in both ways. */
function demandSameSharing(child: Branch, parent: Branch): void {
  const isOfClusters = Object.keys(parent.scope).every((field) => field === 'clusters')
  if (isOfClusters || child.counts_shared === parent.counts_shared) return
  throw outside('/share', `${child.name} and ${parent.name} must both count shared cost, or both not`)
}

function isBelow(budget: Branch, ancestor: Branch, all: readonly Branch[]): boolean {
  const seen = new Set<string>()
  for (let at: Branch | undefined = budget; at && !seen.has(at.budget_id);) {
    if (at.parent_id === ancestor.budget_id) return true
    seen.add(at.budget_id)
    const { parent_id: parent }: Branch = at
    at = all.find(({ budget_id: id }) => id === parent)
  }
  return false
}

const outside = (pointer: string, detail: string) =>
  new Problem('budget_outside_parent', `${pointer}: ${detail}.`, { errors: [{ pointer, code: 'outside', detail }] })
