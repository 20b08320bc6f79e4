import { capital } from '../../../format/labels.ts'
import { actionName, byResource, readFirst, resourceName } from '../../../format/permissions.ts'
import { Segmented } from '../../../parts/controls.tsx'
import { Icon } from '../../../parts/icon.tsx'
import { grantWords, isHarmless, scopesOf, toggled, type Grant, type GrantKind } from './grant.ts'

type Props = { held: readonly string[]; grant: Grant; onChange: (grant: Grant) => void }

const kinds: { value: GrantKind; word: string }[] = [
  { value: 'read', word: 'Read only' },
  { value: 'chosen', word: 'Custom' },
  { value: 'all', word: 'All my permissions' },
]

export function MayDo({ held, grant, onChange }: Props) {
  const scopes = scopesOf(grant, held)
  const pick = (kind: GrantKind) => onChange({ kind, chosen: scopes })
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1 text-sm text-ink-3">Permissions</legend>
      <div>
        <Segmented label="Permissions" value={grant.kind} options={kinds} onChange={pick} />
      </div>
      <Scopes held={held} scopes={scopes} onToggle={(scope) => onChange(toggled(grant, held, scope))} />
      <p className={`flex max-w-[90ch] gap-2 ${isHarmless(scopes) ? 'text-ink-2' : 'tone-warn'}`} aria-live="polite">
        <span className="pt-0.5">
          <Icon name={scopes.length === 0 ? 'alert' : isHarmless(scopes) ? 'check' : 'warn'} />
        </span>
        {grantWords(grant, held)}
      </p>
    </fieldset>
  )
}

type ScopesProps = { held: readonly string[]; scopes: readonly string[]; onToggle: (scope: string) => void }

function Scopes({ held, scopes, onToggle }: ScopesProps) {
  return (
    <dl className="grid gap-x-4 gap-y-1 phone:grid-cols-[140px_1fr]">
      {byResource(readFirst(held)).map(([resource, actions]) => (
        <div key={resource} className="contents">
          <dt className="pt-0.5 text-ink-2">{capital(resourceName(resource))}</dt>
          <dd className="flex flex-wrap gap-x-4">
            {actions.map((action) => (
              <label key={action} className="flex min-h-6 items-center gap-1.5">
                <input
                  type="checkbox"
                  className="choice"
                  aria-label={`${resource}:${action}`}
                  checked={scopes.includes(`${resource}:${action}`)}
                  onChange={() => onToggle(`${resource}:${action}`)}
                />
                {actionName(action)}
              </label>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  )
}
