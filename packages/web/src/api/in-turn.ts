import { useState } from 'react'

type Edit = () => Promise<boolean>

/**
 * Edits of one thing, one after the other: each waits for the tag that the one before it leaves. After one that failed,
 * what was asked for meanwhile is not done: it was asked for on what no longer holds.
 */
export function makeTurns(): (edit: Edit, whenIdle: () => Promise<unknown>) => Promise<void> {
  const ready = () => Promise.resolve(true)
  let last = ready()
  return async (edit, whenIdle) => {
    const turn = last.then((isFine) => isFine && edit())
    last = turn
    await turn
    if (last !== turn) return
    last = ready()
    await whenIdle()
  }
}

export function useTurns(): ReturnType<typeof makeTurns> {
  const [turns] = useState(makeTurns)
  return turns
}
