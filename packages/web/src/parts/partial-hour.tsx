import { useClusterName } from '../api/cluster-name.ts'
import { partialHour, type MayBePartial } from '../format/partial-hour.ts'
import { Message } from './states.tsx'

/** Shown above figures of the current hour, not above complete hours. */
export function PartialHour({ answer }: { answer: MayBePartial | undefined }) {
  const nameOf = useClusterName()
  const words = answer === undefined ? null : partialHour(answer, nameOf)
  if (words === null) return null
  return (
    <Message icon="clock" title={words.title}>
      {words.text}
    </Message>
  )
}
