-- Clusters and their agents' tokens (reference), what we know about each cluster now (distributed), and what is kept of
-- deleted ones so that their agents can be told to stop (local).

create table cluster (
  cluster_id text primary key,
  name text collate "C" not null unique,
  provider text not null,
  region text not null,
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
comment on table cluster is 'reference: the clusters people have connected';

create table agent_token (
  token_id text primary key,
  cluster_id text not null references cluster (cluster_id) on delete cascade,
  secret_mac bytea not null,
  -- set on the older tokens when a newer one is made: they overlap until then
  expires_at timestamptz,
  created_at timestamptz not null
);
create index agent_token_cluster on agent_token (cluster_id);
comment on table agent_token is 'reference: credentials of agents, each bound to one cluster';

-- Written by ingest and calculation only. Status is derived from these facts when read, never stored.
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
comment on table cluster_state is 'distributed: what is known about a cluster now';

create table cluster_tombstone (
  token_id text primary key,
  cluster_id text not null,
  deleted_at timestamptz not null
);
comment on table cluster_tombstone is 'local: tokens of deleted clusters, without names; their agents are answered 410';
