import type { PolicyList, PolicySettings } from '@plimsoll/contract'
import { policyOf } from '../../../api/policies.ts'
import { policyFields, valueFor, type SettingName, type Settings } from './policy-fields.ts'

export type Origin = 'here' | 'cluster' | 'default'

/** What holds in a cluster or a namespace, and from where. */
export type Layers = {
  own: PolicySettings
  /** Without what is set here. */
  inherited: Settings
  holding: Settings
  originOf: (name: keyof PolicySettings) => Origin
  /** What holds when nothing is set here any more. */
  wider: (name: keyof PolicySettings) => Exclude<Origin, 'here'>
}

export function layersOf({ policies, defaults }: PolicyList, namespace: string | null): Layers {
  const own = policyOf(policies, namespace)?.settings ?? {}
  const cluster = namespace === null ? {} : (policyOf(policies, null)?.settings ?? {})
  const inherited = { ...defaults, ...cluster }
  const wider = (name: keyof PolicySettings) => (cluster[name] === undefined ? 'default' : 'cluster')
  return {
    own,
    inherited,
    holding: { ...inherited, ...own },
    originOf: (name) => (own[name] === undefined ? wider(name) : 'here'),
    wider,
  }
}

/** What somebody has typed and not saved yet; null takes back what is set here. */
export type Draft = Readonly<Partial<Record<SettingName, string | null>>>

/** What nobody has touched stays as it is. */
export function settingsWith(own: PolicySettings, draft: Draft): PolicySettings {
  const settings: Record<string, unknown> = { ...own }
  for (const field of policyFields) {
    const typed = draft[field.name]
    if (typed === null) delete settings[field.name]
    else if (typed !== undefined) settings[field.name] = valueFor(field, typed)
  }
  return settings
}
