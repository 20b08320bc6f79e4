import { constants } from 'node:fs'
import { access, mkdir } from 'node:fs/promises'
import type { Log } from '../log.ts'
import { BadSetting, refuseSetting, type AgentSettings } from './settings.ts'
import { readTokenFile } from './token-file.ts'

/**
 * Checks the data directory and the token file at startup, because errors there would repeat or appear late. Only for
 * modes that send.
 */
export async function checkPlaces({ dataDir, tokenFile, mode }: AgentSettings, log: Log): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
    await access(dataDir, constants.W_OK)
  } catch (error) {
    throw new BadSetting(`PLIMSOLL_DATA_DIR, ${dataDir}, cannot be written: ${(error as Error).message}.`)
  }
  const token = readTokenFile(tokenFile)
  if (mode === 'once') await token.catch(refuseSetting)
  // The secret may be created later; until then the agent stores its observations.
  else await token.catch((error: Error) => log('warn', `${error.message} The agent is waiting for the token file.`))
}
