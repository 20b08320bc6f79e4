import { partialHour, type MayBePartial } from '../format/partial-hour.ts'
import { Message } from './states.tsx'

/** Above figures of the current hour; nothing above those of complete hours. */
export function PartialHour({ answer }: { answer: MayBePartial | undefined }) {
  const text = answer === undefined ? null : partialHour(answer)
  if (text === null) return null
  return (
    <Message icon="clock" title="Partial: current hour">
      {text}
    </Message>
  )
}
