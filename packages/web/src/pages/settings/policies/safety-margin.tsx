import type { DialName } from '@plimsoll/contract'
import { capital } from '../../../format/labels.ts'
import { Segmented } from '../../../parts/controls.tsx'
import { Section } from '../../../parts/section.tsx'
import { useFailure } from '../../../parts/states.tsx'
import { BackButton, OriginTag } from './origin.tsx'
import type { Layers } from './policy-draft.ts'
import type { PolicyEdit } from './use-policy-edit.ts'

const dials: { value: DialName; word: string }[] = [
  { value: 'thrifty', word: 'Thrifty' },
  { value: 'balanced', word: 'Balanced' },
  { value: 'safe', word: 'Safe' },
]

const meanings: Record<DialName, string> = {
  thrifty: 'Thrifty: total requests below the VPA total. Highest savings.',
  balanced: 'Balanced: total requests equal to those of the Vertical Pod Autoscaler.',
  safe: 'Safe: total requests above those of the Vertical Pod Autoscaler. Fewest shortages.',
}

type Props = { layers: Layers; edit: PolicyEdit; mayWrite: boolean }

export function Dial({ layers, edit, mayWrite }: Props) {
  const [failure, run] = useFailure()
  const { dial } = layers.holding
  const origin = layers.originOf('dial')
  return (
    <Section title="Sizing policy" meta="applies from the next analysis">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {mayWrite ? (
          <Segmented
            label="Sizing policy"
            value={dial}
            options={dials}
            onChange={(wanted) => void edit(run, (own) => ({ ...own, dial: wanted }))}
          />
        ) : (
          <p className="font-medium">{capital(dial)}</p>
        )}
        <OriginTag origin={origin} />
        {mayWrite && origin === 'here' && (
          <BackButton
            to={layers.wider('dial')}
            what="sizing policy"
            onBack={() => void edit(run, ({ dial: _taken, ...rest }) => rest)}
          />
        )}
      </div>
      <p className="mt-2 max-w-[70ch] text-ink-2">{meanings[dial]}</p>
      <p className="mt-1 max-w-[70ch] text-sm text-ink-3">
        The sizing policy sets the total of all requests, relative to the total of the Vertical Pod Autoscaler (VPA).
        Plimsoll distributes this total to minimize the time that containers are short of CPU.
      </p>
      {failure}
    </Section>
  )
}
