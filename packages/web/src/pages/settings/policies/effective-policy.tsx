import { useState } from 'react'
import type { PolicyScope } from '../../../api/policies.ts'
import { Section } from '../../../parts/section.tsx'
import type { Layers } from './policy-draft.ts'
import { policyFields } from './policy-fields.ts'
import { PolicyForm } from './policy-form.tsx'
import { ReadRow } from './setting-row.tsx'
import { RemovePolicy } from './remove-policy.tsx'
import type { PolicyEdit } from './use-policy-edit.ts'

type Props = { scope: PolicyScope; layers: Layers; edit: PolicyEdit; mayWrite: boolean; onTakenAway: () => void }

export function EffectivePolicy({ scope, layers, edit, mayWrite, onTakenAway }: Props) {
  const isUnset = Object.keys(layers.own).length === 0
  // A new namespace policy opens in edit mode.
  const [isEditing, setEditing] = useState(scope.namespace !== null && isUnset)
  return (
    <Section
      title={scope.namespace === null ? 'Policy of this cluster' : `Policy of ${scope.namespace}`}
      meta={isUnset ? (scope.namespace === null ? 'all defaults' : 'all from cluster') : 'customized'}
      end={
        mayWrite &&
        !isEditing && (
          <span className="flex flex-wrap gap-2">
            {scope.namespace !== null && !isUnset && (
              <RemovePolicy scope={scope} own={layers.own} onDone={onTakenAway} />
            )}
            <button type="button" className="button button-small" onClick={() => setEditing(true)}>
              Edit
            </button>
          </span>
        )
      }
    >
      <div>
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
        Namespace settings override cluster settings, which override the defaults. A LimitRange or a workload annotation
        can raise the minimum request; the evidence of the recommendation names the source.
      </p>
    </Section>
  )
}
