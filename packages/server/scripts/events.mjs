// Lists the newest events of the database at DATABASE_URL: npm run events -- [how many]
import pg from 'pg'

const limit = Number(process.argv[2] ?? 50)
const { DATABASE_URL: connectionString } = process.env
if (!connectionString || !Number.isInteger(limit) || limit < 1) {
  console.error('Set DATABASE_URL, and give a whole number above 0 or nothing: npm run events -- 50')
  process.exit(2)
}
const client = new pg.Client({ connectionString })
await client.connect()
const { rows } = await client.query('select * from event order by event_id desc limit $1', [limit])
await client.end()
for (const { event_id, at, kind, cluster_id, subject_type, subject_id, data } of rows) {
  console.log(
    event_id,
    at.toISOString(),
    kind,
    cluster_id ?? '-',
    `${subject_type}/${subject_id}`,
    JSON.stringify(data),
  )
}
