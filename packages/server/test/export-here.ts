import type { FocusExport } from '../src/exports/exporting.ts'
import type { FocusRequest } from '../src/exports/focus/focus-request.ts'
import { writeFocusFile } from '../src/exports/focus/write-file.ts'
import type { Deps } from '../src/platform/deps.ts'

/** A FOCUS file, in this process. */
export async function exportHere(deps: Pick<Deps, 'db' | 'prices'>, request: FocusRequest): Promise<FocusExport> {
  const parts: Uint8Array[] = []
  const totals = await writeFocusFile(deps, request, { write: async (bytes) => void parts.push(bytes) })
  return {
    bytes: (async function* () {
      yield* parts
    })(),
    totals: Promise.resolve(totals),
  }
}
