/** Words that the engine, the API and the dashboard share. This folder imports nothing. */
export { COST_PARTS, EFFECT_KINDS, OTHER_CAUSES, WATERFALL_PARTS, type EffectKind } from './changes.ts'
export { CLOUD_PROVIDERS, providerTitle, type CloudProvider } from './cloud-providers.ts'
export { describeFormat, MANIFEST_FORMATS, type ManifestFormat } from './manifest-formats.ts'
export { DIAL_NAMES, POOL_SCALINGS, type DialName, type PoolScaling } from './policies.ts'
export {
  CATEGORIES,
  CHANGE_ACTIONS,
  LEVELS,
  REGRESSIONS,
  SEVERITIES,
  STEP_KINDS,
  UNSAFE_KINDS,
  VERIFICATIONS,
  type Category,
  type Level,
  type Severity,
  type StepKind,
  type UnsafeKind,
  type Verification,
} from './recommendations.ts'
export { STATEMENT_PARTS, STATEMENT_RESOURCES } from './statement-words.ts'
