import type { PolicyList, PolicySettings } from '@plimsoll/contract'
import { policyOf } from '../../../api/policies.ts'
import { policyFields, valueFor, type SettingName, type Settings } from './policy-fields.ts'

export type Origin = 'here' | 'cluster' | 'default'

/** The effective settings of a cluster or namespace, and their origin. */
export type Layers = {
  own: PolicySettings
  /** Without the settings of this scope. */
  inherited: Settings
  holding: Settings
  originOf: (name: keyof PolicySettings) => Origin
  /** The origin of a setting after a reset. */
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

/** Unsaved input; null resets a setting. */
export type Draft = Readonly<Partial<Record<SettingName, string | null>>>

/** Untouched settings stay unchanged. */
export function settingsWith(own: PolicySettings, draft: Draft): PolicySettings {
  const settings: Record<string, unknown> = { ...own }
  for (const field of policyFields) {
    const typed = draft[field.name]
    if (typed === null) delete settings[field.name]
    else if (typed !== undefined) settings[field.name] = valueFor(field, typed)
  }
  return settings
}
