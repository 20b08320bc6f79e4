import type { CostScope } from '@plimsoll/contract'

type Change = { readonly before: Readonly<Record<string, unknown>>; readonly after: Readonly<Record<string, unknown>> }

/**
 * The changes whose scopes the caller may see. Changes are in order, newest first. Each change has the scope that the budget had
 * before and after it, because amounts and reasons belong to that scope.
 */
export function visibleChanges<Each extends Change>(
  changes: readonly Each[],
  current: CostScope,
  maySee: (scope: CostScope) => boolean,
): Each[] {
  let after = current
  return changes.filter((change) => {
    const before = (change.before.scope ?? after) as CostScope
    const isVisible = maySee(before) && maySee(after)
    after = before
    return isVisible
  })
}

/** A parent that the caller may not see is null, as in the budget itself. */
export const withVisibleParents = <Each extends Change>(
  change: Each,
  isVisible: (budgetId: string) => boolean,
): Each => ({
  ...change,
  before: withVisibleParent(change.before, isVisible),
  after: withVisibleParent(change.after, isVisible),
})

function withVisibleParent(fields: Change['before'], isVisible: (budgetId: string) => boolean): Change['before'] {
  const { parent_id: parent } = fields
  return typeof parent === 'string' && !isVisible(parent) ? { ...fields, parent_id: null } : fields
}
