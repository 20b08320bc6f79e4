/** Up to this number, omitting items one by one needs fewer tests than halving. */
const FEW = 24

type Holds<Item> = (items: readonly Item[]) => boolean

/**
 * A minimal subset of the items for which a condition holds (QuickXplain by Junker); undefined if it does not hold
 * for all items. Earlier items are preferred: a later item is used only if the earlier ones do not suffice. Placing
 * pods is not monotonic: more capacity can lead to a worse placement. So each item is omitted once more at the end,
 * until every item is needed.
 */
export function quickXplain<Item>(items: readonly Item[], holds: Holds<Item>): readonly Item[] | undefined {
  if (!holds(items)) return undefined
  if (items.length <= FEW) return leaveOut(items, holds)
  if (holds([])) return []
  const found = explain([], [], items, holds)
  return leaveOut(holds(found) ? found : items, holds)
}

function explain<Item>(
  background: readonly Item[],
  added: readonly Item[],
  items: readonly Item[],
  holds: Holds<Item>,
): readonly Item[] {
  if (added.length > 0 && holds(background)) return []
  if (items.length <= 1) return items
  const half = Math.ceil(items.length / 2)
  const preferred = items.slice(0, half)
  const others = items.slice(half)
  const ofOthers = explain([...background, ...preferred], preferred, others, holds)
  const ofPreferred = explain([...background, ...ofOthers], ofOthers, preferred, holds)
  return [...ofPreferred, ...ofOthers]
}

/** The least preferred first, until a whole round omits none. */
function leaveOut<Item>(items: readonly Item[], holds: Holds<Item>): readonly Item[] {
  let left = items
  for (const item of items.toReversed()) {
    const without = left.filter((each) => each !== item)
    if (holds(without)) left = without
  }
  return left.length < items.length ? leaveOut(left, holds) : left
}
