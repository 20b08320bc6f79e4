import { useState } from 'react'

type Edit = () => Promise<boolean>

type Outcome = 'done' | 'failed' | 'dropped'

/**
 * Runs edits of one object in sequence, because each edit needs the ETag of the previous one.
 * If an edit fails, the edits queued behind it are dropped, because they are based on old data.
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
