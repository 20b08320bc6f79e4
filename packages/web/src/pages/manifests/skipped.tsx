import type { ManifestFormatName, ManifestResult } from '@plimsoll/contract'
import { describeFormat } from '@plimsoll/engine/vocabulary'
import { count } from '../../format/quantity.ts'
import { Note } from '../../parts/state-tags.tsx'
import { Message } from '../../parts/states.tsx'

type Props = {
  skipped: ManifestResult['skipped']
  isOne: boolean
  /** Commands carry the change out. */
  hasCommands: boolean
  onFormat: (format: ManifestFormatName) => void
}

/** Lists the recommendations without a file, each with the reason and an alternative. */
export function Skipped({ skipped, isOne, hasCommands, onFormat }: Props) {
  const [first] = skipped
  const other = first?.alternative_format ?? null
  if (isOne && first) {
    return (
      <Message
        icon={hasCommands ? 'next' : 'alert'}
        title={other === null ? noManifest(hasCommands) : 'No manifest in this format'}
        actions={
          other !== null && (
            <button type="button" className="button" onClick={() => onFormat(other)}>
              Show {describeFormat(other).title}
            </button>
          )
        }
      >
        {other === null && hasCommands ? undefined : first.message}
      </Message>
    )
  }
  const reasons = new Map<string, number>()
  for (const { message } of skipped) reasons.set(message, (reasons.get(message) ?? 0) + 1)
  return (
    <Note icon="alert">
      <p className="font-medium">
        {count(skipped.length, 'recommendation has', 'recommendations have')} no manifest in this format
      </p>
      <ul className="mt-1 grid gap-1 text-ink-2">
        {[...reasons].slice(0, 8).map(([message, times]) => (
          <li key={message}>
            {times > 1 && `${times} × `}
            {message}
          </li>
        ))}
        {reasons.size > 8 && <li>and {reasons.size - 8} other reasons</li>}
      </ul>
    </Note>
  )
}

const noManifest = (hasCommands: boolean) =>
  hasCommands ? 'This change has no manifest. Run these commands:' : 'This change has no manifest'
