import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Seconds of the slowest files, for a machine that has not run them yet. */
const known = JSON.parse(readFileSync(new URL('durations.json', import.meta.url), 'utf8')) as Record<string, number>

/** A worker loads a project once, so its files stay together. Short pure files come last: they fill the second core. */
const projects = ['server', 'pure']

/** The longest files first, so that no core waits for the last file. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root } = this.ctx.config
    const secondsOf = ({ moduleId, project }: TestSpecification) => {
      const file = relative(root, moduleId)
      const last = this.ctx.cache.getFileTestResults(`${project.name}:${file}`)
      return last === undefined || last.duration === 0 ? (known[file] ?? 0) : last.duration / 1000
    }
    const ranked = files.map((file) => ({
      file,
      rank: projects.indexOf(file.project.name),
      seconds: secondsOf(file),
    }))
    return ranked.sort((a, b) => a.rank - b.rank || b.seconds - a.seconds).map(({ file }) => file)
  }
}
