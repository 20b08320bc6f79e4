// Fonts for the browser of the tests. Chromium draws no text, or crashes, when fontconfig finds no font, so every start gets a
// generated fontconfig file that names existing directories.
import { mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Families from the development dependencies. The first one is the default. */
export const fontFamilies = ['Open Sans', 'DejaVu Sans', 'PT Sans Narrow']

const projectDirectories = [
  '@expo-google-fonts/open-sans',
  'dejavu-fonts-ttf',
  '@expo-google-fonts/pt-sans-narrow',
].map((name) => fileURLToPath(new URL('.', import.meta.resolve(`${name}/package.json`))))

const machineDirectories = [
  '/usr/share/fonts',
  '/usr/local/share/fonts',
  `${homedir()}/.fonts`,
  `${homedir()}/.local/share/fonts`,
]

/** False: this machine has no fonts, or keeps its fonts where fontconfig does not look. */
export const hasMachineFonts = machineDirectories.some(holdsFonts)

const cache = fileURLToPath(new URL('../node_modules/.cache/fonts', import.meta.url))

/** Writes the fontconfig file and returns its path. `fonts` is 'project' or 'machine'. */
export function writeFontConfig(fonts) {
  const file = `${cache}/${fonts}.conf`
  const unfinished = `${file}.${process.pid}`
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(unfinished, fonts === 'machine' ? machineConfig() : projectConfig())
  // Several test files start a browser at the same time.
  renameSync(unfinished, file)
  return file
}

const projectConfig = () =>
  config([
    ...projectDirectories.map(directoryElement),
    prefer('sans-serif', fontFamilies[0]),
    prefer('system-ui', fontFamilies[0]),
    prefer('monospace', 'DejaVu Sans Mono'),
  ])

const machineConfig = () =>
  config([
    '<include ignore_missing="yes">/etc/fonts/fonts.conf</include>',
    ...machineDirectories.filter(holdsFonts).map(directoryElement),
  ])

const config = (elements) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  ${[...elements, `<cachedir>${escape(`${cache}/cache`)}</cachedir>`].join('\n  ')}
</fontconfig>
`

const directoryElement = (directory) => `<dir>${escape(directory)}</dir>`

const prefer = (generic, family) =>
  `<alias binding="strong"><family>${generic}</family><prefer><family>${family}</family></prefer></alias>`

const escape = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

function holdsFonts(directory) {
  try {
    return readdirSync(directory, { recursive: true }).some((name) => /\.(ttf|otf|ttc)$/i.test(name))
  } catch {
    return false
  }
}
