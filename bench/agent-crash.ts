// Kills an agent a hundred times at random times: npm run bench:agent-crash [-- ROUNDS]
import { runCrashRounds } from '../packages/agent/test/crash-rounds.ts'

const rounds = Number(process.argv[2] ?? 100)
const { minutes, gaps, ...report } = await runCrashRounds({ rounds, random: () => Math.random() })
const wrong = minutes.filter((times) => times !== 1).length
console.log({ ...report, minutes: minutes.length, minutesNotTakenOnce: wrong, gaps: gaps.length })
if (wrong > 0 || gaps.length > 0 || report.left > 0) process.exitCode = 1
