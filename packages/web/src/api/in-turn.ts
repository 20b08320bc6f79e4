import { useState } from 'react'

type Edit = () => Promise<boolean>

type Outcome = 'done' | 'failed' | 'dropped'

/**
 * Edits of one thing, one after the other: each waits for the tag that the one before it leaves. After one that failed,
 * what was asked for meanwhile is dropped: it was asked for on what no longer holds.
 */
export function makeTurns(): (edit: Edit, whenIdle: () => Promise<unknown>) => Promise<Outcome> {
  const ready = () => Promise.resolve<Outcome>('done')
  let last = ready()
  return async (edit, whenIdle) => {
    const turn = last.then((before) => (before === 'done' ? outcomeOf(edit) : 'dropped'))
    last = turn
    const outcome = await turn
    if (last !== turn) return outcome
    last = ready()
    await whenIdle()
    return outcome
  }
}

const outcomeOf = async (edit: Edit): Promise<Outcome> => ((await edit()) ? 'done' : 'failed')

export function useTurns(): ReturnType<typeof makeTurns> {
  const [turns] = useState(makeTurns)
  return turns
}
