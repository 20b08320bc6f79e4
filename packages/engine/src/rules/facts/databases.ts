import type { ContainerFacts } from './cluster-facts.ts'

/** Image names of databases and message stores, as the last part of their path. */
const DATABASES: ReadonlySet<string> = new Set([
  ...['postgres', 'postgresql', 'postgis', 'timescaledb', 'spilo', 'cloudnative-pg'],
  ...['mysql', 'mysql-server', 'mariadb', 'mariadb-galera', 'percona-server', 'percona-xtradb-cluster', 'tidb', 'tikv'],
  ...['mongo', 'mongodb', 'percona-server-mongodb', 'couchdb', 'couchbase', 'cassandra', 'scylla', 'cockroach'],
  ...['redis', 'redis-cluster', 'redis-stack-server', 'valkey', 'keydb', 'dragonfly', 'etcd', 'zookeeper', 'consul'],
  ...['elasticsearch', 'opensearch', 'solr', 'clickhouse', 'clickhouse-server', 'influxdb', 'questdb'],
  ...['kafka', 'cp-kafka', 'strimzi-kafka', 'redpanda', 'rabbitmq', 'pulsar', 'nats', 'neo4j', 'arangodb', 'minio'],
  ...['mssql-server', 'weaviate', 'qdrant', 'milvus', 'meilisearch'],
])

/** The known database or message store of the image; null: none, or the image is unknown. */
export function databaseOf({ image }: Pick<ContainerFacts, 'image'>): string | null {
  const name = nameOf(image ?? '')
  return DATABASES.has(name) ? name : null
}

/** `registry:5000/team/postgres:16@sha256:…` is `postgres`. */
function nameOf(image: string): string {
  const [path = ''] = image.split('@')
  const last = path.slice(path.lastIndexOf('/') + 1)
  return (last.split(':')[0] ?? '').toLowerCase()
}
