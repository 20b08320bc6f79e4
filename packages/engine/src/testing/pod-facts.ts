import type { PodLife } from './paid-span.ts'
import type { PodShape } from '../allocation/pod-request.ts'
import type { Usage } from '../allocation/pod-span.ts'
import type { TimeSpan } from '../time.ts'

export type PodFacts = {
  readonly uid: string
  readonly life: PodLife
  readonly versions: readonly PodVersion[]
  readonly samples: readonly UsageSample[]
}

export type PodVersion = { readonly from: number; readonly shape: PodShape }
export type UsageSample = TimeSpan & { readonly container: string; readonly usage: Usage }
