import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { useDirectory } from '../../test/use-directory.ts'
import { readTokenFile } from './token-file.ts'

const directory = useDirectory()

test('a token is read without its final newline; an empty file is an error', async () => {
  const path = join(directory.path, 'token')
  await expect(readTokenFile(path)).rejects.toThrow(`The token file ${path} is missing.`)
  writeFileSync(path, '\n')
  await expect(readTokenFile(path)).rejects.toThrow(`The token file ${path} is empty.`)
  await expect(readTokenFile(directory.path)).rejects.toThrow('cannot be read')
  writeFileSync(path, 'two words\nand more')
  await expect(readTokenFile(path)).rejects.toThrow(/^The token file \S+ does not contain a token\.$/)
  writeFileSync(path, 'pla_1\n')
  expect(await readTokenFile(path)).toBe('pla_1')
})
