type Holds<Item> = (items: readonly Item[]) => boolean

/**
 * A minimal subset of the items for which something holds (Junker's QuickXplain); undefined where it does not even hold for all of
 * them. Items that come first are preferred: a later one is taken only where the earlier ones do not suffice.
 *
 * Placing pods is not monotone: more room can lead to a worse place. So each item is left out again at the end, until every item
 * is needed, in at most `rounds` rounds.
 */
export function quickXplain<Item>(
  items: readonly Item[],
  holds: Holds<Item>,
  rounds = Infinity,
): readonly Item[] | undefined {
  if (!holds(items)) return undefined
  if (holds([])) return []
  const found = explain([], [], items, holds)
  return leaveOut(holds(found) ? found : items, holds, rounds)
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

/** Leaves out the least preferred item first, until a round leaves out none. */
function leaveOut<Item>(items: readonly Item[], holds: Holds<Item>, rounds = Infinity): readonly Item[] {
  let left = items
  for (const item of items.toReversed()) {
    const without = left.filter((each) => each !== item)
    if (holds(without)) left = without
  }
  return left.length < items.length && rounds > 1 ? leaveOut(left, holds, rounds - 1) : left
}
