import { useState } from 'react'
import type { PolicyScope } from '../../../api/policies.ts'
import { Section } from '../../../parts/section.tsx'
import type { Layers } from './policy-draft.ts'
import { policyFields } from './policy-fields.ts'
import { PolicyForm } from './policy-form.tsx'
import { ReadRow } from './setting-row.tsx'
import { TakeAway } from './take-away.tsx'
import type { PolicyEdit } from './use-policy-edit.ts'

type Props = { scope: PolicyScope; layers: Layers; edit: PolicyEdit; mayWrite: boolean; onTakenAway: () => void }

export function WhatHolds({ scope, layers, edit, mayWrite, onTakenAway }: Props) {
  const isUnset = Object.keys(layers.own).length === 0
  // Whoever asks for a policy of a namespace wants to set something in it.
  const [isEditing, setEditing] = useState(scope.namespace !== null && isUnset)
  return (
    <Section
      title={scope.namespace === null ? 'What holds for this cluster' : `What holds for ${scope.namespace}`}
      meta={isUnset ? 'nothing is set here' : 'some of it is set here'}
      end={
        mayWrite &&
        !isEditing && (
          <span className="flex flex-wrap gap-2">
            {scope.namespace !== null && !isUnset && <TakeAway scope={scope} own={layers.own} onDone={onTakenAway} />}
            <button type="button" className="button button-small" onClick={() => setEditing(true)}>
              Change
            </button>
          </span>
        )
      }
    >
      <div className="max-w-[920px]">
        {isEditing && mayWrite ? (
          <PolicyForm layers={layers} edit={edit} onDone={() => setEditing(false)} />
        ) : (
          <dl>
            {policyFields.map((field) => (
              <ReadRow key={field.name} field={field} layers={layers} />
            ))}
          </dl>
        )}
      </div>
      <p className="mt-2 max-w-[90ch] text-sm text-ink-3">
        What a namespace sets beats its cluster, and that beats the defaults. Where the LimitRange of a namespace or a
        mark on a workload asks for more, no request is advised below that; the evidence of each recommendation says
        which.
      </p>
    </Section>
  )
}
