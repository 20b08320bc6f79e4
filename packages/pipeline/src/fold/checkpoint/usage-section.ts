import { emptyHour } from '../fold-state.ts'
import type { SavedPodSums } from '../pod-sums.ts'
import { UsageSums, type SavedUsage } from '../usage-sums.ts'
import { section } from './section.ts'

type SavedHourUsage = { hour: number; usage: SavedUsage; pods: SavedPodSums }

/** Usage of containers and pods in the hours that can still change. */
export const usageSection = section<SavedHourUsage>(
  'usage',
  function* ({ hours }) {
    for (const [hour, { usage, added }] of hours) yield { hour, usage: usage.save(), pods: added.pods.save() }
  },
  ({ hours }, { hour, usage, pods }) => {
    const state = hours.get(hour) ?? emptyHour()
    hours.set(hour, state)
    state.usage = UsageSums.load(usage)
    state.added.pods.load(pods)
  },
)
