import { constants } from 'node:fs'
import { access, mkdir } from 'node:fs/promises'
import type { Log } from './log.ts'
import { BadSetting, refuseSetting, type AgentSettings } from './settings.ts'
import { readTokenFile } from './token-file.ts'

/** What would only fail later, or over and over: said before anything is begun. For those who send. */
export async function checkPlaces({ dataDir, tokenFile, mode }: AgentSettings, log: Log): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
    await access(dataDir, constants.W_OK)
  } catch (error) {
    throw new BadSetting(`PLIMSOLL_DATA_DIR, ${dataDir}, cannot be written: ${(error as Error).message}.`)
  }
  const token = readTokenFile(tokenFile)
  if (mode === 'once') await token.catch(refuseSetting)
  // A secret may be there later; until then what is observed is kept.
  else await token.catch((error: Error) => log('warn', `${error.message} The agent waits for the token file.`))
}
