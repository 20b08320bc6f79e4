import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Unpacked images, as scripts/build-images writes them; undefined if the variable is not set. */
export function findImages(): string | undefined {
  const directory = process.env.PLIMSOLL_IMAGES
  if (directory === undefined || directory === '') {
    process.stderr.write('SKIPPED: no container images; build them with scripts/build-images and set PLIMSOLL_IMAGES\n')
    return undefined
  }
  for (const name of ['server.json', 'agent.json']) {
    if (!existsSync(join(directory, name))) throw new Error(`PLIMSOLL_IMAGES names ${directory}, which has no ${name}`)
  }
  return directory
}

export type ImageConfig = { Entrypoint: string[]; Env: string[]; User: string; WorkingDir: string }

export const readImageConfig = (images: string, name: string) =>
  JSON.parse(readFileSync(join(images, `${name}.json`), 'utf8')) as ImageConfig

/** Mounts the root directory read-only, and then replaces the shell by the program, which receives the signals. */
const enter = `
root=$1 directory=$2 user=$3
shift 3
mount --make-rprivate /
mount --bind "$root" "$root"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
for each in $WRITABLE; do mount -t tmpfs -o mode=1777 tmpfs "$root$each"; done
mount -o remount,bind,ro "$root"
unset WRITABLE
exec unshare --root="$root" --wd="$directory" --setgid="\${user#*:}" --setuid="\${user%:*}" "$@"
`

export type Container = { pid: number; output: () => string; stop: () => Promise<number | null> }

type Settings = {
  env?: Record<string, string>
  args?: readonly string[]
  /** Mounted before the start, by their path. */
  files?: Record<string, string>
  /** Directories that are volumes. */
  writable?: readonly string[]
}

/**
 * Runs an unpacked image as a container runtime does: its entry point, user and environment, and its own file system,
 * read-only except for /tmp and volumes.
 */
export function runImage(
  images: string,
  name: string,
  { env, args = [], files = {}, writable = [] }: Settings,
): Container {
  const root = join(images, name)
  const { Entrypoint, Env, User, WorkingDir } = readImageConfig(images, name)
  for (const directory of writable) mkdirSync(join(root, directory), { recursive: true })
  // As a runtime does.
  const mounted = { '/etc/hosts': '127.0.0.1 localhost\n', ...files }
  for (const [path, content] of Object.entries(mounted)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  const own = Object.fromEntries(Env.map((each) => /^([^=]*)=(.*)$/s.exec(each)?.slice(1) ?? []) as [string, string][])
  const child = spawn(
    '/usr/bin/unshare',
    ['--mount', '/bin/sh', '-euc', enter, 'sh', root, WorkingDir, User, ...Entrypoint, ...args],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      // The shell needs a search path; images set one themselves.
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', ...own, ...env, WRITABLE: writable.join(' ') },
    },
  )
  let output = ''
  const collect = (chunk: Buffer) => (output += chunk.toString())
  child.stdout.on('data', collect)
  child.stderr.on('data', collect)
  const exited = once(child, 'close').then(([code]) => code as number | null)
  const stop = () => {
    child.kill('SIGTERM')
    return exited
  }
  return { pid: child.pid ?? 0, output: () => output, stop }
}
