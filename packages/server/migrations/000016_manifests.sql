-- The current fields of workloads with open recommendations, for manifests. The snapshot of a cluster takes too long to load
-- for one request, so each analysis stores this part of it.
create table workload_shape (
  cluster_id text not null,
  namespace text not null,
  workload_kind text not null,
  workload_name text not null,
  -- null: the newest snapshot does not contain it any more
  shape jsonb,
  seen_at timestamptz not null,
  primary key (cluster_id, namespace, workload_kind, workload_name)
);
comment on table workload_shape is 'distributed: the fields of workloads with open recommendations';

-- Charts can use any values path. A user declares the path of a chart once.
create table helm_path (
  cluster_id text not null,
  namespace text not null,
  workload_kind text not null,
  workload_name text not null,
  container text not null,
  values_path text not null,
  chart text,
  -- a user has uploaded a rendering that proves it
  is_verified boolean not null,
  updated_at timestamptz not null,
  primary key (cluster_id, namespace, workload_kind, workload_name, container)
);
comment on table helm_path is 'distributed: where the resources of a container are in the values of its Helm chart';
