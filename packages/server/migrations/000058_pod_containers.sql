-- Cost by node, pod and container: the containers of each pod in an hour, and the pods of each day.

-- By container: the columns of the pod after seconds, in order. An empty list stands for the columns of the pod itself, because
-- most pods have one container. Rows of earlier versions have no containers.
alter table pod_hour add column containers jsonb not null default '{}';

create table pod_day (
  cluster_id text not null,
  day timestamptz not null,
  pod_uid text not null,
  pod_name text not null,
  namespace text not null,
  workload_kind text not null,
  workload_name text not null,
  node_uid text not null,
  seconds bigint not null,
  cpu_request bigint not null, cpu_usage bigint not null, cpu_alloc bigint not null, cpu_used bigint not null, cpu_known bigint not null,
  memory_request bigint not null, memory_usage bigint not null, memory_alloc bigint not null, memory_used bigint not null, memory_known bigint not null,
  gpu_request bigint not null, gpu_usage bigint not null, gpu_alloc bigint not null, gpu_used bigint not null, gpu_known bigint not null,
  containers jsonb not null,
  primary key (cluster_id, day, pod_uid)
) partition by range (day);
comment on table pod_day is 'distributed: the sums of pod_hour in a day';
