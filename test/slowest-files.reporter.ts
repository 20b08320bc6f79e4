import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'

const shown = 20

/** Lists the files in which a speed-up helps most. */
export class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const lines = slowestFiles(modules.map((module) => ({ file: module.moduleId, seconds: secondsOf(module) })))
    if (lines.length > 0) process.stdout.write(`\n Slowest ${shown} test files\n${lines.join('\n')}\n`)
  }
}

function secondsOf(module: TestModule): number {
  const { collectDuration, duration, prepareDuration, setupDuration } = module.diagnostic()
  return (collectDuration + duration + prepareDuration + setupDuration) / 1000
}

/** A run of a few files needs no list. */
export function slowestFiles(files: readonly { file: string; seconds: number }[]): string[] {
  if (files.length <= shown) return []
  const total = files.reduce((sum, { seconds }) => sum + seconds, 0)
  return [...files]
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, shown)
    .map(({ file, seconds }) => {
      const share = `${((100 * seconds) / total).toFixed(1)} %`
      return `${seconds.toFixed(1).padStart(7)} s ${share.padStart(7)}  ${relative(process.cwd(), file)}`
    })
}
