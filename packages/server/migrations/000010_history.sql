-- Usage of containers in small additive values, as right-sizing needs them; the pods of each hour; and hours that were
-- backfilled instead of reported minute by minute.

-- live: at least one minute of one node was measured · bridged: nodes existed without reports · backfill: received later
alter table folded_hour add column origin text not null default 'live' check (origin in ('live', 'bridged', 'backfill'));

-- container_id is a hash of the four names, so that it needs no lookup. CPU usage is in tenths of a millicore, the CPU request in
-- millicores, memory in KiB.
create table workload_container (
  cluster_id text not null,
  container_id bigint not null,
  namespace text not null,
  workload_kind text not null,
  workload_name text not null,
  container text not null,
  -- of its newest pod; null without a request, or if only its history is known
  container_kind text check (container_kind in ('app', 'init', 'sidecar')),
  cpu_request bigint, cpu_limit bigint,
  memory_request bigint, memory_limit bigint,
  -- current number of pods
  pods integer not null default 0,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  -- when its requests or limits last changed
  shape_since timestamptz not null,
  primary key (cluster_id, container_id)
);
comment on table workload_container is 'distributed: the containers of workloads, with their current requests';

-- A histogram is a list of pairs of varints: the distance to the previous bucket, and its pod-minutes.
create table usage_hour (
  cluster_id text not null,
  hour timestamptz not null,
  container_id bigint not null,
  -- lifetime of its pods in seconds, and steady minutes with known usage
  pod_seconds bigint not null,
  pod_minutes bigint not null,
  oom_kills integer not null,
  restarts integer not null,
  cpu_sum bigint not null, cpu_p50 bigint not null, cpu_p90 bigint not null, cpu_p99 bigint not null, cpu_max bigint not null,
  cpu_hottest bigint not null, cpu_histogram bytea not null,
  memory_sum bigint not null, memory_p50 bigint not null, memory_p90 bigint not null, memory_p99 bigint not null, memory_max bigint not null,
  memory_hottest bigint not null, memory_histogram bytea not null,
  -- the first minutes after a start, which the columns above do not contain
  startup_minutes bigint not null, startup_cpu_sum bigint not null, startup_cpu_max bigint not null, startup_memory_max bigint not null,
  primary key (cluster_id, hour, container_id)
) partition by range (hour);
comment on table usage_hour is 'distributed: usage of each container of a workload in an hour, over all its pods';

create table usage_histogram (
  cluster_id text not null,
  -- the first of six hours, UTC
  slot timestamptz not null,
  container_id bigint not null,
  -- one bit per hour that it contains
  hours smallint not null,
  cpu_max bigint not null, cpu_histogram bytea not null,
  memory_max bigint not null, memory_histogram bytea not null,
  primary key (cluster_id, slot, container_id)
) partition by range (slot);
comment on table usage_histogram is 'distributed: usage_hour over six hours, undecayed';

create table pod_hour (
  cluster_id text not null,
  hour timestamptz not null,
  pod_uid text not null,
  bridged boolean not null,
  pod_name text not null,
  namespace text not null,
  workload_kind text not null,
  workload_name text not null,
  node_uid text not null,
  seconds bigint not null,
  cpu_request bigint not null, cpu_usage bigint not null, cpu_alloc bigint not null, cpu_used bigint not null, cpu_known bigint not null,
  memory_request bigint not null, memory_usage bigint not null, memory_alloc bigint not null, memory_used bigint not null, memory_known bigint not null,
  gpu_request bigint not null, gpu_usage bigint not null, gpu_alloc bigint not null, gpu_used bigint not null, gpu_known bigint not null,
  -- by container: steady minutes, and the sums of its usage in them
  steady jsonb not null,
  primary key (cluster_id, hour, pod_uid, bridged)
) partition by range (hour);
comment on table pod_hour is 'distributed: requests, usage and allocation of each pod in an hour, at the rate of its node';

-- Each backfill epoch is a separate transmission of the history.
create table backfill_checkpoint (
  cluster_id text not null,
  epoch text not null,
  state bytea not null,
  folded_at timestamptz not null,
  primary key (cluster_id, epoch)
);
comment on table backfill_checkpoint is 'distributed: the state for folding the next backfill batch, compressed';
