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
