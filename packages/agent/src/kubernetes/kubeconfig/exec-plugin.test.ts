import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { useDirectory } from '../../../test/use-directory.ts'
import { execPluginOf, runExecPlugin, type ExecCredential, type ExecPlugin } from './exec-plugin.ts'
import { execLogin } from './login.ts'

// Not /dev/shm, because a container may not execute files there.
const directory = useDirectory(tmpdir())
const apiVersion = 'client.authentication.k8s.io/v1'
const cluster = {
  name: 'main',
  file: '',
  fields: {
    server: 'https://main',
    extensions: [{ name: 'client.authentication.k8s.io/exec', extension: { audience: 'x' } }],
  },
}

function pluginOf(exec: object): ExecPlugin {
  const plugin = execPluginOf({ name: 'me', file: join(directory.path, 'config'), fields: { exec } }, cluster)
  if (!plugin) throw new Error('there is no exec section')
  return plugin
}

/** A shell script beside the kubeconfig. */
function aPlugin(script: string, more: object = {}): ExecPlugin {
  const path = join(directory.path, 'login')
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
  return pluginOf({ apiVersion, command: './login', ...more })
}

const prints = (status: object, version = apiVersion) =>
  `echo '${JSON.stringify({ apiVersion: version, kind: 'ExecCredential', status })}'`
const env = { PATH: process.env.PATH }

test('the plugin runs with its arguments and environment, and without a terminal', async () => {
  const script = `test "$1 $GREETING $OWN" = 'get-token hello kept' || exit 3
read line && exit 4
case "$KUBERNETES_EXEC_INFO" in *'"interactive":false'*'"audience":"x"'*) ;; *) exit 5;; esac
${prints({ token: 'made', expirationTimestamp: '2030-01-01T00:00:00Z' })}`
  const plugin = aPlugin(script, {
    ...{ args: ['get-token'], env: [{ name: 'GREETING', value: 'hello' }] },
    ...{ provideClusterInfo: true, interactiveMode: 'IfAvailable' },
  })
  expect(await runExecPlugin(plugin, { ...env, OWN: 'kept' })).toEqual({
    token: 'made',
    expiresAt: Date.parse('2030-01-01T00:00:00Z'),
  })
})

test('a plugin can return a client certificate', async () => {
  const plugin = aPlugin(prints({ clientCertificateData: 'cert', clientKeyData: 'key' }))
  expect(await runExecPlugin(plugin, env)).toEqual({ cert: 'cert', key: 'key' })
})

test.each([
  ['fails', 'echo "no session, log in" >&2; exit 7', 'failed with exit code 7: no session, log in.'],
  ['prints other output', 'echo hello', 'printed no ExecCredential.'],
  ['prints no credential', prints({}), 'returned neither a token nor a certificate.'],
  [
    'prints no key',
    prints({ clientCertificateData: 'cert' }),
    'returned a certificate without its key, or a key without its certificate.',
  ],
  ['uses another version', prints({ token: 'x' }, 'client.authentication.k8s.io/v1beta1'), "instead of '"],
])('the error names a plugin that %s', async (_name, script, expected) => {
  await expect(runExecPlugin(aPlugin(script), env)).rejects.toThrow(expected)
})

/**
 * A shell script that leaves a process running, which holds the pipes of the plugin open. The process is stopped after
 * the check.
 */
async function leavingProcess(check: (script: string, pid: () => number) => Promise<void>): Promise<void> {
  const file = join(directory.path, 'pid')
  const pid = () => Number(readFileSync(file, 'utf8'))
  try {
    await check(`sleep 60 &\necho $! > '${file}'`, pid)
  } finally {
    process.kill(pid(), 'SIGKILL')
  }
}

test('a background process of the plugin does not delay the credential', async () => {
  await leavingProcess(async (script, pid) => {
    const plugin = aPlugin(`${script}\n${prints({ token: 'made' })}`)
    expect(await runExecPlugin(plugin, env)).toEqual({ token: 'made' })
    expect(process.kill(pid(), 0)).toBe(true)
  })
})

test('a plugin that ignores SIGTERM is killed at the time limit', async () => {
  await leavingProcess(async (script) => {
    const plugin = aPlugin(`trap '' TERM\n${script}\necho waiting for a browser >&2\nwait`)
    await expect(runExecPlugin(plugin, env, { timeoutMs: 1500, graceMs: 50 })).rejects.toThrow(
      'did not exit within 1.5 s: waiting for a browser.',
    )
  })
})

test('a plugin with endless output is stopped', async () => {
  await expect(runExecPlugin(aPlugin('yes'), env)).rejects.toThrow('printed more than 1048576 bytes.')
})

test('the error of a missing plugin includes the install hint of the kubeconfig', async () => {
  const plugin = pluginOf({ apiVersion, command: 'no-such-login', installHint: 'Install it:\n\u001b[31mnow' })
  await expect(runExecPlugin(plugin, env)).rejects.toThrow(
    'The exec plugin no-such-login is not installed. Install it: [31mnow.',
  )
})

test.each([
  [
    { apiVersion: 'client.authentication.k8s.io/v1alpha1', command: 'x' },
    'supported are client.authentication.k8s.io/v1',
  ],
  [{ apiVersion, command: 'x', interactiveMode: 'Always' }, 'needs a terminal, which the agent does not have.'],
  [{ apiVersion }, 'has no command.'],
])('%o is rejected', (exec, expected) => {
  expect(() => pluginOf(exec)).toThrow(expected)
})

/** Counts the runs of the plugin. */
function aLogin(credential: (run: number) => ExecCredential) {
  let [runs, now] = [0, 0]
  const run = async () => {
    const got = credential((runs += 1))
    if (got.token === 'fails') throw new Error('no session')
    return got
  }
  const login = execLogin(pluginOf({ apiVersion, command: 'x' }), { env: {}, now: () => now, run })
  const authorization = async () => (await login.part()).authorization
  return { login, authorization, runs: () => runs, pass: (seconds: number) => (now += seconds * 1000) }
}

test('one credential serves all requests, until it expires or is rejected', async () => {
  const { login, authorization, runs, pass } = aLogin((run) => ({
    token: String(run),
    ...(run === 1 ? { expiresAt: 60_000 } : {}),
  }))
  expect(await Promise.all([authorization(), authorization()])).toEqual(['Bearer 1', 'Bearer 1'])
  pass(59)
  expect(await authorization()).toBe('Bearer 1')
  pass(1)
  expect(await authorization()).toBe('Bearer 2')
  pass(86_400)
  expect(await authorization()).toBe('Bearer 2')
  login.forget()
  expect(await authorization()).toBe('Bearer 3')
  // A rejected new credential does not run the plugin for every request.
  login.forget()
  expect(await authorization()).toBe('Bearer 3')
  pass(10)
  expect(await authorization()).toBe('Bearer 4')
  expect(runs()).toBe(4)
})

test('a credential that is already expired runs the plugin every ten seconds, not for every request', async () => {
  const { authorization, runs, pass } = aLogin(() => ({ token: 'late', expiresAt: -1 }))
  for (let request = 0; request < 5; request += 1) await authorization()
  expect(runs()).toBe(1)
  pass(10)
  await authorization()
  expect(runs()).toBe(2)
})

test('a failing plugin runs again after ten seconds, not for every request', async () => {
  const { authorization, runs, pass } = aLogin((run) => ({ token: run === 1 ? 'fails' : 'works' }))
  await expect(authorization()).rejects.toThrow('no session')
  await expect(authorization()).rejects.toThrow('no session')
  expect(runs()).toBe(1)
  pass(10)
  expect(await authorization()).toBe('Bearer works')
})
