-- Clusters and their agent tokens (reference), the current state of each cluster (distributed), and what is stored about
-- deleted clusters so that the server can tell their agents to stop (local).

create table cluster (
  cluster_id text primary key,
  name text collate "C" not null unique,
  provider text not null,
  region text not null,
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
comment on table cluster is 'reference: the connected clusters';

create table agent_token (
  token_id text primary key,
  cluster_id text not null references cluster (cluster_id) on delete cascade,
  secret_mac bytea not null,
  -- set on the older tokens when a new token is created: both are valid until then
  expires_at timestamptz,
  created_at timestamptz not null
);
create index agent_token_cluster on agent_token (cluster_id);
comment on table agent_token is 'reference: credentials of agents, each bound to one cluster';

-- Only ingest and calculation write it. The status is derived from these facts when it is read; it is not stored.
create table cluster_state (
  cluster_id text primary key,
  agent_version text,
  agent_last_seen_at timestamptz,
  last_sync_at timestamptz,
  node_count integer not null default 0,
  pod_count integer not null default 0,
  monthly_cost numeric not null default 0,
  conditions jsonb not null default '[]'
);
comment on table cluster_state is 'distributed: the current state of a cluster';

create table cluster_tombstone (
  token_id text primary key,
  cluster_id text not null,
  deleted_at timestamptz not null
);
comment on table cluster_tombstone is 'local: tokens of deleted clusters, without names; their agents get 410';
