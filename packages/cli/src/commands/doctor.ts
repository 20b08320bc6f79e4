import type { Command } from 'commander'
import { configPath } from '../context/config-file.ts'
import { exitCodeOf, messageOf } from '../exit-codes.ts'
import { text } from '../output/cells.ts'
import { tableOf } from '../output/presentation.ts'
import { version } from '../version.ts'
import type { Session } from './session.ts'

type Check = { check: string; ok: boolean; detail: string }

/** Stops at the first failed check, because the later ones depend on it. */
export function addDoctor(program: Command, session: Session): void {
  program
    .command('doctor')
    .summary('Check the context, the server and the API key')
    .action(async () => {
      const checks: Check[] = [
        { check: 'version', ok: true, detail: `plimsoll ${version}, Node ${process.versions.node}` },
        { check: 'configuration', ok: true, detail: configPath(session.deps) },
      ]
      try {
        const { server, context, client } = await session.connect()
        const source = context === undefined ? 'from the environment' : `context "${context}"`
        checks.push({ check: 'server', ok: true, detail: `${server}, ${source}` })
        const { user, permissions } = await client.getMe()
        checks.push({ check: 'API key', ok: true, detail: `${user.email}, role ${user.role}` })
        checks.push({ check: 'permissions', ok: true, detail: permissions.join(', ') })
      } catch (error) {
        checks.push({ check: 'connection', ok: false, detail: messageOf(error) })
        session.exitCode = exitCodeOf(error)
      }
      await session.show(checks, () => ({
        table: tableOf(checks, [
          ['check', ({ check }) => text(check)],
          ['result', ({ ok }) => text(ok ? 'ok' : 'failed')],
          ['detail', ({ detail }) => text(detail)],
        ]),
      }))
    })
}
