-- From the minutes of the agent to the stored hour: the received batches, the progress of folding, and the quantities of
-- each hour. Quantities are integer unit-seconds (microcores, KiB, parts of a GPU); cost is quantity × rate.

-- The first kube-system UID that an agent reports is stored, so that a token that moved to another cluster is detected.
alter table cluster add column kube_system_uid text;

create table ingest_batch (
  cluster_id text not null,
  batch_id text not null,
  epoch text not null,
  seq bigint not null,
  kind text not null default 'live' check (kind in ('live', 'backfill')),
  digest bytea not null,
  received_at timestamptz not null,
  -- pending: to be folded · folded · quarantined: cannot be read, with the reason
  state text not null default 'pending' check (state in ('pending', 'folded', 'quarantined')),
  reason text,
  rejected_records integer not null default 0,
  primary key (cluster_id, batch_id),
  unique (cluster_id, epoch, seq)
);
create index ingest_batch_pending on ingest_batch (cluster_id, epoch, seq) where state = 'pending';
create index ingest_batch_received on ingest_batch (received_at);
comment on table ingest_batch is 'distributed: every batch an agent sent, for 35 days, so that a replay is recognised';

-- The bodies are large and short-lived, so they have their own table with one partition per day.
create table ingest_body (
  cluster_id text not null,
  batch_id text not null,
  received_day date not null,
  body bytea not null,
  primary key (cluster_id, batch_id, received_day)
) partition by range (received_day);
comment on table ingest_body is 'distributed: compressed bodies, as received';

create table ingest_epoch (
  cluster_id text not null,
  epoch text not null,
  -- everything up to here is stored
  acked_seq bigint not null default 0,
  -- everything up to here is folded, or was not received in time
  folded_seq bigint not null default 0,
  started_at timestamptz not null,
  primary key (cluster_id, epoch)
);
comment on table ingest_epoch is 'distributed: the progress of each epoch of an agent';

-- One row per cluster, written in the transaction of the rows that it produced, so a crash neither repeats nor loses data.
create table fold_checkpoint (
  cluster_id text primary key,
  version bigint not null,
  state bytea not null,
  folded_at timestamptz not null
);
comment on table fold_checkpoint is 'distributed: the state for folding the next batch, compressed';

create table node (
  cluster_id text not null,
  node_uid text not null,
  name text not null,
  facts jsonb not null,
  first_seen_at timestamptz not null,
  ended_at timestamptz,
  primary key (cluster_id, node_uid)
);
comment on table node is 'distributed: nodes that were seen, with their last facts';

-- A rate never changes after it is created. Parts without a price are null, not 0.
create table rate (
  rate_id bigint generated always as identity primary key,
  class_key text not null,
  -- the price book, and the override if one applies
  price_key text not null,
  -- since when both apply
  valid_from timestamptz not null,
  node_usd_per_hour numeric,
  cpu_usd_per_microcore_second numeric,
  memory_usd_per_kib_second numeric,
  gpu_usd_per_part_second numeric,
  estimated boolean not null,
  evidence jsonb not null,
  unique (class_key, price_key)
);
comment on table rate is 'reference: the price of a node class by one price book and one override, with its source';

create table workload_hour (
  cluster_id text not null,
  hour timestamptz not null,
  namespace text not null,
  workload_kind text not null,
  workload_name text not null,
  labels jsonb not null,
  labels_hash text not null,
  rate_id bigint not null,
  -- false: measured, and added up · true: nodes existed without usage reports; computed again when the hour changes
  bridged boolean not null,
  seconds bigint not null,
  cpu_request bigint not null, cpu_usage bigint not null, cpu_alloc bigint not null, cpu_used bigint not null, cpu_known bigint not null,
  memory_request bigint not null, memory_usage bigint not null, memory_alloc bigint not null, memory_used bigint not null, memory_known bigint not null,
  gpu_request bigint not null, gpu_usage bigint not null, gpu_alloc bigint not null, gpu_used bigint not null, gpu_known bigint not null,
  primary key (cluster_id, hour, namespace, workload_kind, workload_name, labels_hash, rate_id, bridged)
) partition by range (hour);
comment on table workload_hour is 'distributed: requests, usage and allocation of each workload in an hour, per rate';

create table node_hour (
  cluster_id text not null,
  hour timestamptz not null,
  node_uid text not null,
  rate_id bigint not null,
  bridged boolean not null,
  seconds bigint not null,
  cpu_capacity numeric not null, cpu_allocatable numeric not null, cpu_alloc numeric not null, cpu_used numeric not null, cpu_reserved numeric not null,
  memory_capacity numeric not null, memory_allocatable numeric not null, memory_alloc numeric not null, memory_used numeric not null, memory_reserved numeric not null,
  gpu_capacity numeric not null, gpu_allocatable numeric not null, gpu_alloc numeric not null, gpu_used numeric not null, gpu_reserved numeric not null,
  primary key (cluster_id, hour, node_uid, rate_id, bridged)
) partition by range (hour);
comment on table node_hour is 'distributed: capacity and allocation of each node in an hour, per rate';

create table folded_hour (
  cluster_id text not null,
  hour timestamptz not null,
  revision integer not null,
  written_at timestamptz not null,
  primary key (cluster_id, hour)
);
comment on table folded_hour is 'distributed: which hours are written, and how often late data or prices have changed them';
