-- What a manifest has to fit: how the workloads look that open recommendations are about. The whole picture of a cluster takes
-- too long to load for one answer, so each analysis writes down this part of it.
create table workload_shape (
  cluster_id text not null,
  namespace text not null,
  workload_kind text not null,
  workload_name text not null,
  -- null: the newest picture does not have it any more
  shape jsonb,
  seen_at timestamptz not null,
  primary key (cluster_id, namespace, workload_kind, workload_name)
);
comment on table workload_shape is 'distributed: how the workloads look that open recommendations are about';

-- Charts name their values as they like. What people know about theirs is asked once.
create table helm_path (
  cluster_id text not null,
  namespace text not null,
  workload_kind text not null,
  workload_name text not null,
  container text not null,
  values_path text not null,
  chart text,
  -- somebody has shown a rendering that proves it
  is_verified boolean not null,
  updated_at timestamptz not null,
  primary key (cluster_id, namespace, workload_kind, workload_name, container)
);
comment on table helm_path is 'distributed: where the resources of a container are in the values of its Helm chart';
